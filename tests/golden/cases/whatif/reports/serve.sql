-- Four requests of 4 ms, each 20 kernels of 175 us on one stream, launched every 200 us; nothing waits: 3.5 of 4 ms are busy.
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
  INSERT INTO NVTX_EVENTS (start, end, text) SELECT i * 4000000, i * 4000000 + 3990000, 'request_' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
  INSERT INTO NVTX_EVENTS (start, end, text) SELECT i * 4000000 + 10, i * 4000000 + 1000000, 'prefill' FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
  INSERT INTO NVTX_EVENTS (start, end, text)
  SELECT i / 3 * 4000000 + (i % 3 + 1) * 1000000 + 10, i / 3 * 4000000 + (i % 3 + 2) * 1000000 - 20000, 'decode_' || i FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 79)
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  SELECT 5000 + i * 200000, 10000 + i * 200000, i + 1, 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 79)
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  SELECT 20000 + i * 200000, 195000 + i * 200000, i + 1 FROM n;
