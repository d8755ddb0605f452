-- What each analyzer has to say of bmm_21.db (rocprofv3 of ROCm 7.1.1, MI300X), in plain SQL over AMD's tables. A line
-- "-- ANALYZER METRIC" names a metric; the statement behind it gives dims and value of each of its facts.

-- views
CREATE TEMP VIEW k AS
SELECT row_number() OVER (ORDER BY d.start, d."end") AS n, d.start AS s, d."end" AS e, y.display_name AS name, v.stack_id AS stack,
  d.agent_id AS agent, d.grid_size_x / d.workgroup_size_x * (d.grid_size_y / d.workgroup_size_y) * (d.grid_size_z / d.workgroup_size_z) AS blocks
FROM rocpd_kernel_dispatch d JOIN rocpd_info_kernel_symbol y ON y.id = d.kernel_id JOIN rocpd_event v ON v.id = d.event_id;
CREATE TEMP VIEW c AS
SELECT r.start AS s, r."end" AS e, t.string AS name, v.stack_id AS stack
FROM rocpd_region r JOIN rocpd_string t ON t.id = r.name_id JOIN rocpd_event v ON v.id = r.event_id;
-- From the first call to the last; the device is the only one that ran anything.
CREATE TEMP VIEW w AS SELECT min(s) AS s, max(e) AS e FROM (SELECT s, e FROM k UNION ALL SELECT s, e FROM c);
-- Each kernel with the end of all before it and its launching call.
CREATE TEMP TABLE q AS
SELECT k.n, k.s, k.e, k.name, max(k.e) OVER (ORDER BY k.n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before,
  c.s AS cs, c.e AS ce FROM k LEFT JOIN c ON c.stack = k.stack;
CREATE TEMP VIEW busy AS SELECT sum(max(0, e - max(s, ifnull(before, s)))) AS ns FROM q;
-- Gaps of the device in the window, each with the call whose work ended it; the last has none.
CREATE TEMP TABLE gap AS
SELECT ifnull(before, (SELECT s FROM w)) AS s, s AS e, cs, ce FROM q WHERE s > ifnull(before, (SELECT s FROM w))
UNION ALL SELECT (SELECT max(e) FROM k), (SELECT e FROM w), NULL, NULL;
-- Calls that are in no other call, of the one thread: kinds as hip names them.
CREATE TEMP TABLE outer_call AS
SELECT s, e, CASE WHEN name LIKE '%Synchronize' OR name = 'hipMemcpy' THEN 'sync' ELSE 'api' END AS kind FROM c
WHERE NOT EXISTS (SELECT 1 FROM c AS o WHERE o.s <= c.s AND o.e >= c.e AND (o.s < c.s OR o.e > c.e));
-- Time of each gap by cause. Before the launching call it is what the host did; between, work had not come yet.
CREATE TEMP TABLE cause AS
SELECT g.s, g.e, CASE WHEN g.cs IS NULL THEN 'tail' WHEN g.ce <= g.s THEN 'queued' ELSE 'launched' END AS kind,
  CASE WHEN g.ce > g.s THEN g.e - max(g.s, g.cs) ELSE 0 END AS launch,
  CASE WHEN g.ce > g.s THEN (SELECT ifnull(sum(max(0, min(o.e, g.cs) - max(o.s, g.s))), 0) FROM outer_call o WHERE o.kind = 'api') ELSE 0 END AS api,
  CASE WHEN g.ce > g.s THEN (SELECT ifnull(sum(max(0, min(o.e, g.cs) - max(o.s, g.s))), 0) FROM outer_call o WHERE o.kind = 'sync') ELSE 0 END AS sync,
  CASE WHEN g.ce > g.s THEN max(0, g.cs - g.s) ELSE 0 END AS host
FROM gap g;

-- run_summary window.duration_ns
SELECT '', e - s FROM w;
-- run_summary kernel.count
SELECT '', count(*) FROM k;
-- run_summary kernel.time_sum_ns
SELECT '', sum(e - s) FROM k;
-- run_summary kernel.time_mean_ns
SELECT '', avg(e - s) FROM k;
-- run_summary kernel.time_median_ns
SELECT '', e - s FROM k ORDER BY e - s LIMIT 1 OFFSET 150;
-- run_summary gpu.busy_ratio
SELECT '', 1.0 * busy.ns / (w.e - w.s) FROM busy, w;
-- run_summary gpu.kernel_busy_ratio
SELECT '', 1.0 * busy.ns / (w.e - w.s) FROM busy, w;
-- run_summary gpu.idle_ns
SELECT '', sum(e - s) FROM gap;
-- run_summary gpu.foreign_busy_ns
SELECT '', count(*) FROM rocpd_info_process WHERE id <> (SELECT min(pid) FROM rocpd_kernel_dispatch);
-- run_summary gap.count
SELECT 'over=' || o.name, (SELECT count(*) FROM q WHERE s - before > o.ns)
FROM (SELECT '1us' AS name, 1000 AS ns UNION ALL SELECT '10us', 10000 UNION ALL SELECT '100us', 100000) AS o;
-- run_summary gap.time_sum_ns
SELECT '', sum(max(0, s - before)) FROM q;
-- run_summary gap.max_ns
SELECT '', max(s - before) FROM q;
-- run_summary graph.launch_count
SELECT '', count(*) FROM c WHERE name LIKE '%GraphLaunch%';
-- run_summary graph.time_sum_ns
SELECT '', count(*) FROM c WHERE name LIKE '%GraphLaunch%';
-- run_summary graph.opaque_ratio
SELECT '', count(*) FROM c WHERE name LIKE '%GraphLaunch%';
-- run_summary launch.count
SELECT '', count(*) FROM c WHERE name = 'hipLaunchKernel';
-- run_summary launch.api_time_mean_ns
SELECT '', avg(e - s) FROM c WHERE name = 'hipLaunchKernel';
-- run_summary launch.interval_median_ns
SELECT '', gap FROM (SELECT s - lag(s) OVER (ORDER BY s) AS gap FROM c WHERE name = 'hipLaunchKernel') WHERE gap IS NOT NULL
ORDER BY gap LIMIT 1 OFFSET 74;
-- run_summary launch.queued_count
SELECT '', count(*) FROM q WHERE s >= ce;
-- run_summary launch.queue_time_mean_ns
SELECT '', avg(s - ce) FROM q WHERE s >= ce;
-- run_summary launch.bound_ratio
SELECT '', 1.0 * sum(s > before AND ce > before) / count(*) FROM q WHERE before IS NOT NULL;
-- run_summary sync.count
SELECT 'kind=' || i.kind, (SELECT count(*) FROM c WHERE name = i.name)
FROM (SELECT 'device' AS kind, 'hipDeviceSynchronize' AS name UNION ALL SELECT 'stream', 'hipStreamSynchronize'
  UNION ALL SELECT 'event', 'hipEventSynchronize' UNION ALL SELECT 'blocking_copy', 'hipMemcpy') AS i;
-- run_summary sync.host_time_ns
SELECT 'kind=' || i.kind, (SELECT ifnull(sum(e - s), 0) FROM c WHERE name = i.name)
FROM (SELECT 'device' AS kind, 'hipDeviceSynchronize' AS name UNION ALL SELECT 'stream', 'hipStreamSynchronize'
  UNION ALL SELECT 'event', 'hipEventSynchronize' UNION ALL SELECT 'blocking_copy', 'hipMemcpy') AS i;

-- idle_causes idle.window_ns
SELECT '', e - s FROM w;
-- idle_causes idle.time_ns
SELECT 'cause=queued', sum(e - s) FROM cause WHERE kind = 'queued'
UNION ALL SELECT 'cause=tail', sum(e - s) FROM cause WHERE kind = 'tail'
UNION ALL SELECT 'cause=launch', sum(launch) FROM cause UNION ALL SELECT 'cause=api', sum(api) FROM cause
UNION ALL SELECT 'cause=sync', sum(sync) FROM cause UNION ALL SELECT 'cause=host', sum(host - api - sync) FROM cause
UNION ALL SELECT 'cause=unknown', sum(cs IS NULL) * 0 FROM q;
-- idle_causes idle.gap_count
SELECT 'cause=' || n.name, (SELECT count(*) FROM (
  SELECT CASE WHEN kind <> 'launched' THEN kind WHEN launch >= max(api, sync, host - api - sync) THEN 'launch'
    WHEN sync >= max(api, host - api - sync) THEN 'sync' WHEN api >= host - api - sync THEN 'api' ELSE 'host' END AS largest
  FROM cause) WHERE largest = n.name)
FROM (SELECT 'queued' AS name UNION ALL SELECT 'tail' UNION ALL SELECT 'launch' UNION ALL SELECT 'api' UNION ALL SELECT 'sync'
  UNION ALL SELECT 'host' UNION ALL SELECT 'unknown') AS n;
-- idle_causes idle.long_gap_count
SELECT '', count(*) FROM cause WHERE e - s > 10000000 AND kind <> 'tail';
-- idle_causes idle.long_gap_ns
SELECT of, ns FROM (
  SELECT 'cause=queued' AS of, sum((e - s) * (kind = 'queued')) AS ns FROM cause WHERE e - s > 10000000
  UNION ALL SELECT 'cause=launch', sum(launch) FROM cause WHERE e - s > 10000000
  UNION ALL SELECT 'cause=api', sum(api) FROM cause WHERE e - s > 10000000
  UNION ALL SELECT 'cause=sync', sum(sync) FROM cause WHERE e - s > 10000000
  UNION ALL SELECT 'cause=host', sum(host - api - sync) FROM cause WHERE e - s > 10000000)
WHERE ns > 0;
-- idle_causes host_wait.call_count
SELECT 'wait=' || i.kind, (SELECT count(*) FROM c WHERE name = i.name)
FROM (SELECT 'device_sync' AS kind, 'hipDeviceSynchronize' AS name UNION ALL SELECT 'stream_sync', 'hipStreamSynchronize'
  UNION ALL SELECT 'event_sync', 'hipEventSynchronize') AS i;
-- idle_causes host_wait.time_ns
SELECT 'wait=' || i.kind, (SELECT ifnull(sum(e - s), 0) FROM c WHERE name = i.name)
FROM (SELECT 'device_sync' AS kind, 'hipDeviceSynchronize' AS name UNION ALL SELECT 'stream_sync', 'hipStreamSynchronize'
  UNION ALL SELECT 'event_sync', 'hipEventSynchronize') AS i;
-- idle_causes host_wait.idle_ns
SELECT 'wait=' || i.kind, (SELECT ifnull(sum(max(0, min(c.e, g.cs) - max(c.s, g.s))), 0) FROM c, gap g WHERE c.name = i.name AND g.ce > g.s)
FROM (SELECT 'device_sync' AS kind, 'hipDeviceSynchronize' AS name UNION ALL SELECT 'stream_sync', 'hipStreamSynchronize'
  UNION ALL SELECT 'event_sync', 'hipEventSynchronize') AS i;

-- kernel_breakdown kernel_class.count
SELECT 'class=matmul', sum(name LIKE '%matrix_multipl%') FROM k UNION ALL SELECT 'class=fill', sum(name LIKE '%fillBuffer%') FROM k
UNION ALL SELECT 'class=unknown', sum(name NOT LIKE '%matrix_multipl%' AND name NOT LIKE '%fillBuffer%') FROM k;
-- kernel_breakdown kernel_class.time_sum_ns
SELECT 'class=matmul', sum((e - s) * (name LIKE '%matrix_multipl%')) FROM k
UNION ALL SELECT 'class=fill', sum((e - s) * (name LIKE '%fillBuffer%')) FROM k
UNION ALL SELECT 'class=unknown', sum((e - s) * (name NOT LIKE '%matrix_multipl%' AND name NOT LIKE '%fillBuffer%')) FROM k;
-- kernel_breakdown kernel_class.time_ratio
SELECT 'class=matmul', 1.0 * sum((e - s) * (name LIKE '%matrix_multipl%')) / sum(e - s) FROM k
UNION ALL SELECT 'class=fill', 1.0 * sum((e - s) * (name LIKE '%fillBuffer%')) / sum(e - s) FROM k
UNION ALL SELECT 'class=unknown', 1.0 * sum((e - s) * (name NOT LIKE '%matrix_multipl%' AND name NOT LIKE '%fillBuffer%')) / sum(e - s) FROM k;
-- kernel_breakdown kernel_class.hidden_ratio
SELECT '', count(*) FROM c WHERE name LIKE '%GraphLaunch%';
-- kernel_breakdown top_kernel.count
SELECT '', n FROM (SELECT count(*) AS n, sum(e - s) AS t FROM k GROUP BY name) ORDER BY t DESC LIMIT 1;
-- kernel_breakdown top_kernel.time_ratio
SELECT '', 1.0 * max(t) / sum(t) FROM (SELECT sum(e - s) AS t FROM k GROUP BY name);

-- step_breakdown step.count
SELECT '', count(*) FROM w;
-- step_breakdown step.dropped_count
SELECT '', count(*) FROM c WHERE name LIKE 'roctx%';
-- step_breakdown step.time_ns
SELECT '', e - s FROM w;
-- Kernels first, then calls where no kernel runs, then the rest.
-- step_breakdown step.category_time_ns
WITH p AS (SELECT s, e, max(e) OVER (ORDER BY s, e ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (SELECT s, e FROM k UNION ALL SELECT s, e FROM c)),
  covered AS (SELECT sum(max(0, e - max(s, ifnull(before, s)))) AS ns FROM p)
SELECT 'category=kernel', busy.ns FROM busy UNION ALL SELECT 'category=runtime', covered.ns - busy.ns FROM covered, busy
UNION ALL SELECT 'category=other', w.e - w.s - covered.ns FROM w, covered
UNION ALL SELECT 'category=' || n, (SELECT count(*) FROM rocpd_memory_copy) FROM (SELECT 'memcpy' AS n UNION ALL SELECT 'memset'
  UNION ALL SELECT 'communication' UNION ALL SELECT 'dataloader' UNION ALL SELECT 'cpu_exec');
-- step_breakdown step.category_time_ratio
WITH p AS (SELECT s, e, max(e) OVER (ORDER BY s, e ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
    FROM (SELECT s, e FROM k UNION ALL SELECT s, e FROM c)),
  covered AS (SELECT sum(max(0, e - max(s, ifnull(before, s)))) AS ns FROM p)
SELECT 'category=kernel', 1.0 * busy.ns / (w.e - w.s) FROM busy, w
UNION ALL SELECT 'category=runtime', 1.0 * (covered.ns - busy.ns) / (w.e - w.s) FROM covered, busy, w
UNION ALL SELECT 'category=other', 1.0 * (w.e - w.s - covered.ns) / (w.e - w.s) FROM w, covered
UNION ALL SELECT 'category=' || n, (SELECT count(*) FROM rocpd_memory_copy) FROM (SELECT 'memcpy' AS n UNION ALL SELECT 'memset'
  UNION ALL SELECT 'communication' UNION ALL SELECT 'dataloader' UNION ALL SELECT 'cpu_exec');
-- step_breakdown step.top_kernel_time_ratio
SELECT '', 1.0 * max(t) / sum(t) FROM (SELECT sum(e - s) AS t FROM k GROUP BY name);
-- step_breakdown gpu.utilization_ratio
SELECT '', 1.0 * busy.ns / (w.e - w.s) FROM busy, w;
-- Every kernel has a block or more for each of 304 compute units.
-- step_breakdown gpu.sm_efficiency_ratio
SELECT '', sum((k.e - k.s) * min(1.0, k.blocks / 304.0)) / (w.e - w.s) FROM k, w;

-- From the first kernel to the end of the last.
-- communication capture.window_ns
SELECT '', max(e) - min(s) FROM k;
-- communication comm.kernel_count
SELECT '', count(*) FROM k WHERE name LIKE '%nccl%';
-- communication compute.busy_ns
SELECT 'over=capture', ns FROM busy;
-- communication compute.only_ns
SELECT 'over=capture', ns FROM busy;
-- communication comm.idle_ns
SELECT 'over=capture', (SELECT max(e) - min(s) FROM k) - ns FROM busy;
-- communication comm.busy_ns
SELECT 'over=capture', count(*) FROM k WHERE name LIKE '%nccl%';
-- communication comm.exposed_ns
SELECT 'over=capture', count(*) FROM k WHERE name LIKE '%nccl%';
-- communication comm.exposed_copy_ns
SELECT 'over=capture', count(*) FROM k WHERE name LIKE '%nccl%';
-- communication comm.overlap_ns
SELECT 'over=capture', count(*) FROM k WHERE name LIKE '%nccl%';
-- communication copy.only_ns
SELECT 'over=capture', count(*) FROM rocpd_memory_copy;

-- label_check label.device_listed
SELECT 'device=' || logical_index, 1 FROM rocpd_info_agent WHERE type = 'GPU';
-- label_check label.device_used
SELECT DISTINCT 'device=' || a.logical_index, 1 FROM k JOIN rocpd_info_agent a ON a.id = k.agent;
-- label_check label.compiled_kernels
SELECT '', count(*) FROM k WHERE name LIKE '%triton_%' OR name LIKE '%inductor%';
-- label_check label.graph_launches
SELECT '', count(*) FROM c WHERE name LIKE '%GraphLaunch%';
