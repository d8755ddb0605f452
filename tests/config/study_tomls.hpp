// Label rules and expected runs of the published study's questions, for tests.
#pragma once

#include <string>

namespace assay::study {

inline const std::string kModelLabels = R"(
patterns = ["gpu{gpu}_numa{numa}_vit{patch}x{depth}x{dim}"]
gpu = { type = "int" }
numa = { type = "int" }
patch = { type = "int", changes = ["kernels"] }
depth = { type = "int", changes = ["kernels"] }
dim = { type = "int", changes = ["kernels"] }
)";

inline const std::string kRq2 = R"([question]
id = "rq2"
[reports]
folder = "rq2_resolution_scaling"
[labels])" + kModelLabels + R"(
px = { type = "int" }
batch = { type = "int", default = 4 }
[[labels.suffix]]
match = "_{px}px"
[[matrix]]
"patch,depth,dim,px" = [
  [8, 6, 384, 256], [8, 6, 384, 512], [16, 6, 384, 256], [16, 6, 384, 512], [16, 6, 384, 1024],
  [16, 12, 768, 256], [16, 12, 768, 512], [32, 18, 1024, 256], [32, 18, 1024, 512], [32, 24, 1280, 256]]
[[matrix]]
"patch,depth,dim" = [[32, 6, 384]]
px = [256, 512, 1024, 2048]
[[matrix]]
"patch,depth,dim" = [[32, 12, 768]]
px = [256, 512, 1024]
)";

inline const std::string kRq4 = R"([question]
id = "rq4"
[reports]
folder = "rq4_numa_locality_effects"
[labels])" + kModelLabels + R"(
px = { type = "int", default = 224 }
batch = { type = "int", default = 8 }
memory = { values = ["local", "remote"] }
highmem = { values = ["no", "yes"], default = "no" }
transfer = { values = ["no", "yes"], default = "no" }
[[labels.suffix]]
match = "_numa_{memory}"
[[labels.suffix]]
match = "_batch{batch}"
[[labels.suffix]]
match = "_highmem"
set = { highmem = "yes" }
[[labels.suffix]]
match = "_transfer"
set = { transfer = "yes" }
[[matrix]]
numa = [0, 2]
memory = ["local", "remote"]
"patch,depth,dim" = [[32, 2, 256], [32, 6, 384], [16, 6, 384], [32, 12, 768], [16, 12, 768], [32, 12, 1024],
  [32, 18, 1024], [32, 24, 1024], [16, 24, 1280]]
[[matrix]]
numa = [0, 2]
memory = ["local", "remote"]
"patch,depth,dim" = [[32, 12, 768]]
"batch,highmem" = [[1, "no"], [32, "no"], [8, "yes"]]
[[matrix]]
numa = [0, 2]
memory = ["local", "remote"]
"patch,depth,dim" = [[32, 1, 128]]
transfer = "yes"
)";

inline const std::string kRq5 = R"([question]
id = "rq5"
[reports]
folder = "rq5_pipeline_design"
[labels])" + kModelLabels + R"(
px = { type = "int", default = 224 }
batch = { type = "int", default = 8 }
mode = { values = ["sync", "async"], changes = ["sync"] }
preproc = { values = ["cpu", "gpu"] }
queue = { type = "int" }
goal = { values = ["latency", "balanced", "throughput"] }
variant = { values = ["plain", "highmem", "lowmem", "overlap_test", "many_patches"], default = "plain" }
[[labels.suffix]]
match = "_sync_baseline"
set = { mode = "sync" }
[[labels.suffix]]
match = "_async_{preproc}_preproc"
set = { mode = "async" }
[[labels.suffix]]
match = "_async_queue{queue}"
set = { mode = "async" }
[[labels.suffix]]
match = "_async_{px}px_{preproc}"
set = { mode = "async" }
[[labels.suffix]]
match = "_async_batch{batch}_{goal}"
set = { mode = "async" }
[[labels.suffix]]
match = "_async_{variant}"
set = { mode = "async" }
[[labels.suffix]]
match = "_async_many_patches"
set = { mode = "async", variant = "many_patches" }
implies = { px = 512 }
[[matrix]]
"patch,depth,dim" = [[32, 6, 384], [16, 12, 768], [32, 18, 1024]]
mode = "sync"
[[matrix]]
"patch,depth,dim" = [[32, 6, 384], [16, 12, 768], [32, 18, 1024]]
mode = "async"
preproc = ["cpu", "gpu"]
[[matrix]]
"patch,depth,dim" = [[16, 12, 768]]
mode = "async"
queue = [2, 8, 16]
[[matrix]]
"patch,depth,dim" = [[32, 12, 768]]
mode = "async"
px = [256, 1024]
preproc = ["cpu", "gpu"]
[[matrix]]
"patch,depth,dim" = [[16, 12, 768]]
mode = "async"
"batch,goal" = [[1, "latency"], [4, "balanced"], [32, "throughput"]]
[[matrix]]
mode = "async"
"patch,depth,dim,px,variant" = [[16, 12, 768, 224, "highmem"], [16, 12, 768, 224, "lowmem"],
  [32, 6, 384, 224, "overlap_test"], [8, 6, 384, 512, "many_patches"]]
)";

inline const std::string kTokenReduction = R"([question]
id = "token_reduction"
[reports]
folder = "token_reduction"
[labels]
patterns = ["{reduction}_bs{batch}_is{px}"]
reduction = { values = ["baseline", "with_tr"], changes = ["kernels"] }
batch = { type = "int" }
px = { type = "int" }
)";

inline const std::string kTransformer = R"([question]
id = "transformer"
[reports]
folder = "transformer"
[labels]
patterns = ["{model}_{pass}"]
model = {}
pass = { values = ["forward", "forward_backward", "training_step"] }
annotated = { values = ["no", "yes"], default = "no" }
ctx = { type = "int" }
[[labels.suffix]]
match = "_annotated"
set = { annotated = "yes" }
[[labels.suffix]]
match = "_ctx{ctx}"
)";

inline const std::string kAttention = R"([question]
id = "attention"
[reports]
folder = "attention"
[labels])" + kModelLabels + R"(
px = { type = "int" }
[[labels.suffix]]
match = "_attn_{px}px"
)";

}  // namespace assay::study
