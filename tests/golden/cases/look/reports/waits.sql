-- 12 kernels of 1 us, launched every 10 us; after each but the last the host waits 5 us for the stream, and 4 us more go by.
INSERT INTO StringIds (id, value) VALUES (50, 'cudaStreamSynchronize_v3020');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT 2000 + i * 10000, 2500 + i * 10000, i + 1, 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT 4000 + i * 10000, 9000 + i * 10000, i + 101, 50 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  SELECT 3000 + i * 10000, 3000 + 1000 + i * 10000, i + 1 FROM n;
