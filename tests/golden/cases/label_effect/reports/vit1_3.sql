-- 2 iterations of one kernel each, 1000 ns long but for 3.
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 6000, 'test_double_buffer'),
  (1500, 3000, 'iter_0'), (3500, 5000, 'iter_1');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  VALUES (2000, 2100, 1, 1), (4000, 4100, 2, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  VALUES (2500, 3500, 1), (4500, 5503, 2);
