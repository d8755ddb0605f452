-- 12 kernels of 1002 ns, launched every 10 us.
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT 2000 + i * 10000, 2500 + i * 10000, i + 1, 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  SELECT 3000 + i * 10000, 3000 + 1002 + i * 10000, i + 1 FROM n;
