package io.sedge.connector.modbus.internal;

import io.sedge.engine.type.Schema;
import java.util.List;

/**
 * The columns of a table.
 *
 * @param fields those that are registers, in the table's order
 * @param unit the column of the unit id; -1 if there is none
 * @param address the column of the connection's address; -1 if there is none
 * @param time the column of the time; -1 if there is none
 */
record TableShape(Schema schema, List<Field> fields, int unit, int address, int time) {
  TableShape {
    fields = List.copyOf(fields);
  }

  /** How many microseconds the smallest step of the time column has. */
  long timeStepMicros() {
    return time < 0 ? 1 : Math.round(Math.pow(10, 6 - schema.type(time).precision()));
  }
}
