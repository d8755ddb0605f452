-- 4 iterations of one kernel each, 1010 ns long, on an H200.
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, clockRate INTEGER, computeMajor INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200', 1980000000, 9);
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 10000, 'test_double_buffer'),
  (1500, 3000, 'iter_0'), (3500, 5000, 'iter_1'), (5500, 7000, 'iter_2'), (7500, 9000, 'iter_3');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  VALUES (2000, 2100, 1, 1), (4000, 4100, 2, 1), (6000, 6100, 3, 1), (8000, 8100, 4, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId)
  VALUES (2500, 3510, 1), (4500, 5510, 2), (6500, 7510, 3), (8500, 9510, 4);
