// `[plugins]`: where a question's own analyzers are, and which versions it asks for.
#pragma once

#include "config/section.hpp"

namespace assay {

/// Folders are taken from that of `file`, and must exist.
PluginsSpec read_plugins_spec(Section section, const std::filesystem::path& file);

}  // namespace assay
