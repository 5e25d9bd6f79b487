package io.sedge.connector.http.internal;

import io.sedge.connector.TableDescriptor;

/**
 * What a sink sends, and how.
 *
 * @param method POST or PUT
 * @param maxRows so many rows go into a request at most
 * @param maxBytes so many bytes of rows do, or one row
 * @param idempotencyHeader where the key of a request stands
 * @param failsOnRefusal whether a row that the server refuses ends the job
 * @param queueBytes what may wait for the server
 */
record SinkSettings(
    TableDescriptor table,
    Server server,
    UrlTemplate url,
    String method,
    BodyForm form,
    int maxRows,
    long maxBytes,
    String idempotencyHeader,
    boolean failsOnRefusal,
    long queueBytes) {}
