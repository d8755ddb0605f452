-- Two kernels that overlap on two streams, and a kernel that outlives the range: the window ends with it, at 12000.
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 11000, 'test_double_buffer');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  VALUES (2000, 2200, 1, 1), (2300, 2500, 2, 1), (2600, 2700, 3, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId, streamId)
  VALUES (3000, 5000, 1, 7), (4000, 6000, 2, 8), (10000, 12000, 3, 7);
