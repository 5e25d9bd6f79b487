/**
 * The connectors {@code http} and {@code webhook}: rows to and from web servers and services. Read
 * {@link io.sedge.connector.http.HttpConnector} and {@link
 * io.sedge.connector.http.WebhookConnector} first; then, in {@code internal}, {@code
 * RequestCarrier} and {@code PollReader}. Requests are sent on threads of their own; rows are made
 * and taken on the task's thread.
 */
@NullMarked
package io.sedge.connector.http;

import org.jspecify.annotations.NullMarked;
