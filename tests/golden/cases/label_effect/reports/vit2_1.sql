-- 2 iterations of two kernels each, 1000 ns long but for 1.
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 9000, 'test_double_buffer'),
  (1500, 3000, 'iter_0'), (5000, 6500, 'iter_1');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  VALUES (2000, 2100, 1, 1), (2200, 2300, 2, 1), (5200, 5300, 3, 1), (5400, 5500, 4, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  VALUES (2500, 3500, 1), (3500, 4500, 2), (5500, 6500, 3), (6500, 7501, 4);
