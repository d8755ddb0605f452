-- A capture in which the kernel table was not written.
DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId) VALUES (1200, 1400, 1, 1);
