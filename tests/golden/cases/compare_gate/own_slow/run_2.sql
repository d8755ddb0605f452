-- Five steps of a gemm of 399900 ns and a softmax of 240300 ns.
CREATE TEMP TABLE step AS
  WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4) SELECT i, 1000000 * (i + 1) AS at FROM n;
INSERT INTO NVTX_EVENTS (start, end, text) SELECT at, at + 10000, 'step_' || i FROM step;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT at + 1000, at + 3000, 2 * i + 1, 1 FROM step UNION ALL SELECT at + 4000, at + 6000, 2 * i + 2, 1 FROM step;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId) SELECT at + 5000, at + 5000 + 399900, 2 * i + 1 FROM step;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, demangledName, shortName)
  SELECT at + 5000 + 399900, at + 5000 + 399900 + 240300, 2 * i + 2, 13, 14 FROM step;
