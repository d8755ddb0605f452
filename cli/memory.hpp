// How the process takes memory from the system.
#pragma once

namespace assay {

/// Call before anything large is allocated. Most of the time that a large report took went to the first touch of pages:
/// memory that was freed stays with the process, and the heap is backed by huge pages.
void keep_memory_in_huge_pages();

}  // namespace assay
