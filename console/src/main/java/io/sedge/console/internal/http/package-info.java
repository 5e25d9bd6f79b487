/**
 * How a console is listened to and answers, whatever it is of. Read {@link
 * io.sedge.console.internal.http.ConsoleServer} first, then {@link
 * io.sedge.console.internal.http.ApiRoutes}, then {@link
 * io.sedge.console.internal.http.EventStream}. Each request has a virtual thread.
 */
@NullMarked
package io.sedge.console.internal.http;

import org.jspecify.annotations.NullMarked;
