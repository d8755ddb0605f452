"""Metrics of run_summary as statements: a test compares them to the ns, bench/sql_metrics.py their cost."""

INSIDE = "FROM kernels k, windows w WHERE k.report = w.report AND membership = 'inside'"
CLIPPED = "max(0, min(k.end, w.end) - max(k.start, w.start))"
LAUNCHES = "FROM calls WHERE in_window = 1 AND kind IN ('kernel_launch', 'graph_launch')"
# Metrics of run_summary, each by its definition. The values are integers, or quotients of two.
SAME = {
    "window.duration_ns": "SELECT duration FROM windows",
    "kernel.count": "SELECT count(*) FROM kernels WHERE membership = 'inside'",
    "kernel.time_sum_ns": f"SELECT sum({CLIPPED}) {INSIDE}",
    "kernel.time_mean_ns": f"SELECT 1.0 * sum({CLIPPED}) / count(*) {INSIDE}",
    "kernel.time_median_ns": f"SELECT median({CLIPPED}) {INSIDE}",
    "launch.count": f"SELECT count(*) {LAUNCHES}",
    "launch.api_time_mean_ns": f"SELECT 1.0 * sum(duration) / count(*) {LAUNCHES}",
    "launch.queued_count": "SELECT count(*) FROM kernels k JOIN calls c ON k.call = c.id "
                           "WHERE membership = 'inside' AND k.start >= c.end",
    "launch.queue_time_mean_ns": "SELECT 1.0 * sum(k.start - c.end) / count(*) FROM kernels k JOIN calls c ON k.call = c.id "
                                 "WHERE membership = 'inside' AND k.start >= c.end",
    "launch.interval_median_ns": f"SELECT median(gap) FROM (SELECT start - lag(start) OVER (PARTITION BY thread ORDER BY id) "
                                 f"AS gap {LAUNCHES})",
    "copy.bytes": "SELECT direction, sum(bytes) AS value FROM copies WHERE membership = 'inside' GROUP BY direction",
    "sync.host_time_ns": "SELECT k.kind, (SELECT coalesce(sum(duration), 0) FROM calls c WHERE in_window = 1 AND "
                         "c.kind = CASE k.kind WHEN 'blocking_copy' THEN k.kind ELSE k.kind || '_sync' END) AS value FROM "
                         "(SELECT 'device' AS kind UNION ALL SELECT 'stream' UNION ALL SELECT 'event' UNION ALL "
                         "SELECT 'blocking_copy') k",
}
