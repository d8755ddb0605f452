// Names of files in plots, without what is the same in all of them.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// Removes the leading folders and the extensions (".pt.trace.json") that are common to all names, if they are paths.
void shorten_paths(const std::vector<std::string*>& names);

}  // namespace assay
