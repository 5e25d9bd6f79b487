package io.sedge.format.avro.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;

/**
 * Finds arrays whose elements take no bytes: a few bytes could claim any number of them, and the
 * library passes over all of them one by one.
 */
final class EmptyElements {
  private EmptyElements() {}

  /**
   * @throws AvroTypeException if there is such an array in a schema
   */
  static void refuse(Schema schema) {
    refuse(schema, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  private static void refuse(Schema schema, Set<Schema> seen) {
    switch (schema.getType()) {
      case ARRAY -> {
        Schema element = schema.getElementType();
        if (isEmpty(element, Collections.newSetFromMap(new IdentityHashMap<>()))) {
          throw new AvroTypeException(
              "it has an array of %s whose elements take no bytes"
                  .formatted(element.getType().getName()));
        }
        refuse(element, seen);
      }
      case MAP -> refuse(schema.getValueType(), seen);
      case UNION -> schema.getTypes().forEach(branch -> refuse(branch, seen));
      case RECORD -> {
        if (seen.add(schema)) {
          schema.getFields().forEach(field -> refuse(field.schema(), seen));
        }
      }
      default -> {}
    }
  }

  /** A record that was seen before adds nothing to what is known of the first. */
  private static boolean isEmpty(Schema schema, Set<Schema> seen) {
    return switch (schema.getType()) {
      case NULL -> true;
      case FIXED -> schema.getFixedSize() == 0;
      case RECORD ->
          !seen.add(schema)
              || schema.getFields().stream().allMatch(field -> isEmpty(field.schema(), seen));
      default -> false;
    };
  }
}
