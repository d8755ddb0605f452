-- One kernel of 2000 ns and one copy in a window of 10000 ns.
INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1000, 11000, 'test_double_buffer');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId) VALUES (1200, 1400, 1, 2), (2000, 2200, 2, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, correlationId, bytes, copyKind) VALUES (1500, 2500, 1, 4096, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, correlationId) VALUES (3000, 5000, 2);
