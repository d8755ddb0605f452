// Prints layout.txt anew.
#include <iostream>

#include "layout.hpp"

int main() { std::cout << assay::compat::layout_text(); }
