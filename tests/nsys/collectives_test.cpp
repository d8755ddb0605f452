// Which kernels are collectives, and what exports say of each: kind, group, sizes.
#include "load/made_export.hpp"
#include "support/test.hpp"

namespace assay::load_collectives_test {

/// What NCCL's payloads are described by in an export with blobs: a communicator and, but for those without, a size.
constexpr const char* kSchemas =
    "ALTER TABLE NVTX_EVENTS ADD COLUMN binaryData BLOB;"
    "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId INT, schemaId INT, name TEXT, offset INT);"
    "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (1, 5, 'NCCL communicator ID', 0), (1, 5, 'Message size [bytes]', "
    "8), "
    "(1, 5, 'Reduction operation', 16), (1, 6, 'Some other tool', 0);";

/// Eight bytes, little-endian, as a literal of SQL has them.
std::string number_of_payload(std::uint64_t value) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (int i = 0; i < 8; ++i, value >>= 8U) {
    out += kDigits[(value >> 4U) & 15U];
    out += kDigits[value & 15U];
  }
  return out;
}

/// A head of four numbers (domain, schema, size, begin), then what it holds.
std::string payload(std::uint64_t schema, std::initializer_list<std::uint64_t> numbers) {
  std::string out = "X'" + number_of_payload(1) + number_of_payload(schema) + number_of_payload(8 * numbers.size()) +
                    number_of_payload(32);
  for (const std::uint64_t number : numbers) out += number_of_payload(number);
  return out + "'";
}

/// An export in which every kernel is launched inside a range of NCCL.
class MadeJob {
 public:
  MadeJob() {
    made_.with_calls().with_kernels().with_ranges().add(kSchemas);
    made_.add("INSERT INTO NVTX_EVENTS VALUES(0,NULL,75,'NCCL'," + std::to_string(tid(1, 1)) + ",NULL,NULL,1,NULL);");
  }
  /// A kernel; `function`: of the range around its launch, empty: none.
  MadeJob& kernel(const std::string& name, const std::string& function = {}, const std::string& bytes = "NULL",
                  int domain = 1) {
    const std::int64_t at = 100 * ++count_;
    const int id = 100 + static_cast<int>(count_);
    made_.add("INSERT INTO StringIds VALUES(" + std::to_string(id) + ",'" + name + "');");
    if (!function.empty()) {
      made_.add("INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(at) + "," + std::to_string(at + 50) + ",59,'" +
                function + "'," + std::to_string(tid(1, 1)) + ",NULL,NULL," + std::to_string(domain) + "," + bytes +
                ");");
    }
    made_.call(at + 10, at + 20, tid(1, 1), count_).kernel(at + 30, at + 90, pid(1), count_, id);
    return *this;
  }
  [[nodiscard]] LoadedView load() {
    std::set<ColumnId> columns = all_columns();
    columns.insert(col::collectives);
    return LoadedView(made_.write(), {}, {}, columns);
  }

 private:
  MadeExport made_;
  std::int64_t count_ = 0;
};

TEST(Collectives, AreTheKernelsWhoseNamesCommunicate) {
  const LoadedView loaded = MadeJob()
                                .kernel("gemm")
                                .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL")
                                .kernel("reduce_kernel")
                                .kernel("ncclKernel_ReduceScatter_RING_LL_Sum_bf16")
                                .load();
  const CollectiveTable& t = *loaded.report().collectives;
  EXPECT_TRUE(equals(std::vector(t.kernel.begin(), t.kernel.end()), {1, 3}));
  EXPECT_TRUE(
      equals(std::vector(t.kind.begin(), t.kind.end()), {CollectiveKind::kAllReduce, CollectiveKind::kReduceScatter}));
  EXPECT_EQ(loaded.report().string(t.dtype[0]), "f32");
  EXPECT_EQ(loaded.report().string(t.dtype[1]), "bf16");
  EXPECT_EQ(t.sent[0], kNone) << "no payload says it";
  EXPECT_EQ(loaded.report().string(t.group[0]), "");
}

TEST(Collectives, AreAnEmptyTableInAReportWithoutAny) {
  const LoadedView loaded = MadeJob().kernel("gemm").load();
  ASSERT_NE(loaded.report().collectives, nullptr) << "that there is none is known";
  EXPECT_EQ(loaded.report().collectives->rows, 0U);
}

TEST(Collectives, HaveGroupAndSizesFromThePayloadOfTheRangeAroundTheirLaunch) {
  const auto loaded =
      MadeJob()
          .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclAllReduce", payload(5, {0xABC, 4096, 0}))
          .kernel("ncclDevKernel_AllGather_RING_LL", "ncclAllGather", payload(5, {0xABC, 512}))
          .kernel("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL", "ncclReduceScatter", payload(5, {0xDEF, 256, 0}))
          .load();
  const CollectiveTable& t = *loaded.report().collectives;
  ASSERT_EQ(t.rows, 3U);
  EXPECT_EQ(loaded.report().string(t.group[0]), "0000000000000abc");
  EXPECT_EQ(t.group[0], t.group[1]);
  EXPECT_NE(t.group[0], t.group[2]);
  EXPECT_TRUE(equals(std::vector(t.sent.begin(), t.sent.end()), {4096, 512, kNone}));
  EXPECT_TRUE(equals(std::vector(t.received.begin(), t.received.end()), {4096, kNone, 256}))
      << "what NCCL's function is called with";
}

TEST(Collectives, AskNoPayloadThatIsNotTheirs) {
  const LoadedView loaded =
      MadeJob()
          // A kernel for a group of calls: the range is that of its last call, of another kind.
          .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclAllGather", payload(5, {1, 64}))
          // A range of that name which is not NCCL's.
          .kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", "ncclAllReduce", payload(5, {2, 64}), 0)
          // A payload without communicator, one that is too short, one that begins behind its end.
          .kernel("ncclDevKernel_Broadcast_RING_LL", "ncclBroadcast", payload(6, {3, 64}))
          .kernel("ncclDevKernel_Broadcast_RING_LL", "ncclBroadcast", "X'0102'")
          .load();
  const CollectiveTable& t = *loaded.report().collectives;
  ASSERT_EQ(t.rows, 4U);
  for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(t.sent[row], kNone) << row;
  EXPECT_EQ(loaded.report().string(t.group[1]), "");
  EXPECT_EQ(loaded.report().string(t.group[2]), "");
  EXPECT_EQ(loaded.issue("unread_payload"), 2);
}

TEST(Collectives, UseTheFunctionsKindIfKernelsNameNone) {
  const LoadedView loaded = MadeJob().kernel("ncclDevKernel_Generic", "ncclAllReduce", payload(5, {1, 64})).load();
  EXPECT_EQ(loaded.report().collectives->kind[0], CollectiveKind::kAllReduce) << "as on AMD";
  EXPECT_EQ(loaded.report().collectives->sent[0], 64);
}

TEST(Collectives, AreNotSearchedUnlessWanted) {
  MadeExport made;
  made.with_calls().with_kernels();
  EXPECT_EQ(LoadedView(made.write()).report().collectives, nullptr);
}

}  // namespace assay::load_collectives_test
