package io.sedge.connector.http.internal;

import com.fasterxml.jackson.core.JsonPointer;
import io.sedge.connector.TableDescriptor;
import java.net.URI;
import java.time.Duration;

/**
 * What a source asks for, and how often.
 *
 * @param pointer where in JSON the rows stand
 * @param maxBytes a larger answer is broken off
 */
record PollSettings(
    TableDescriptor table,
    Server server,
    URI address,
    BodyForm form,
    JsonPointer pointer,
    Duration interval,
    int maxBytes) {}
