-- Two kernels on one stream with a gap of 1500 ns; a third is launched before the window.
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 11000, 'test_double_buffer');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId)
  VALUES (500, 600, 1, 1), (2000, 2200, 2, 1), (2300, 2500, 3, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId) VALUES (700, 900, 1), (3000, 5000, 2), (6500, 7000, 3);
