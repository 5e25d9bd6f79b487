/**
 * The inside of the connector {@code modbus}. Read {@code Register} and {@code ReadPlan} for what
 * is asked, {@code LinePoller} for when, {@code RegisterWriter} for how commands are written.
 */
@NullMarked
package io.sedge.connector.modbus.internal;

import org.jspecify.annotations.NullMarked;
