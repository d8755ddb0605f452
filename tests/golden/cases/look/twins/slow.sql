-- The same kernels, launched every 20 us.
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT 2000 + i * 20000, 2500 + i * 20000, i + 1, 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  SELECT 3000 + i * 20000, 3000 + 1004 + i * 20000, i + 1 FROM n;
