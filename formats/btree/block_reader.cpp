#include "formats/btree/block_reader.hpp"

#include <algorithm>
#include <string>

#include "formats/btree/page_decoder.hpp"

namespace assay::load::btree {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 17;  // a block and its decoded rows fit the cache

}  // namespace

std::size_t BlockReader::leaves_per_block(std::size_t page_size) { return kBlockBytes / page_size; }

BlockReader::BlockReader(const PageFile& file, const LeafList& leaves)
    : file_(file),
      list_(leaves),
      page_size_(file.page_size()),
      buffer_(std::min(leaves_per_block(page_size_), leaves.leaves().size()) * page_size_ + PageDecoder::kSlack) {}

std::optional<Refusal> BlockReader::load(std::size_t number) {
  const std::vector<Leaf>& leaves = list_.leaves();
  first_ = number * leaves_per_block(page_size_);
  const std::size_t end = std::min(first_ + leaves_per_block(page_size_), leaves.size());
  for (std::size_t run = first_, stop = first_; run < end; run = stop) {  // adjacent pages are read at once
    for (stop = run + 1; stop < end && leaves[stop].page == leaves[stop - 1].page + 1;) ++stop;
    if (!file_.read(leaves[run].page, (stop - run) * page_size_, &buffer_[(run - first_) * page_size_])) {
      return Refusal{Reason::kUnreadable, "the file ends early"};
    }
  }
  headers_.clear();
  for (std::size_t i = first_; i < end; ++i) {
    const std::uint32_t leaf = leaves[i].page;
    const Byte* at = page(i - first_) + PageHeader::offset(leaf);
    const auto header = PageHeader::read(at, leaf, page_size_, leaf == list_.root());
    if (const auto* refusal = std::get_if<Refusal>(&header)) return *refusal;
    headers_.push_back(std::get<PageHeader>(header));
    if (headers_.back().kind != PageHeader::kLeaf) {
      return Refusal{Reason::kPage, "page " + std::to_string(leaf) + " is not a leaf but its neighbours are"};
    }
  }
  return std::nullopt;
}

}  // namespace assay::load::btree
