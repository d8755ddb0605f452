-- 12 kernels of 1001 ns in three steps.
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 122000, 'train'), (1500, 41000, 'step_0'), (41500, 81000, 'step_1'), (81500, 121000, 'step_2');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT 2000 + i * 10000, 2500 + i * 10000, i + 1, 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  SELECT 3000 + i * 10000, 3000 + 1001 + i * 10000, i + 1 FROM n;
