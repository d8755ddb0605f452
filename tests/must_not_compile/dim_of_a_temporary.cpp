#include "assay/sdk.hpp"

std::vector<assay::Dim> dims_of_device(int device) {
  std::vector<assay::Dim> dims;
  dims.push_back({"device", std::to_string(device)});
  return dims;
}
