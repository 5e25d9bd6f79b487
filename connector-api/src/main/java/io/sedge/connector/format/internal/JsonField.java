package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * A value that a JSON object is read for: a column, a field of a ROW or the element of an ARRAY.
 */
final class JsonField {
  final String name;
  final byte[] nameBytes;

  /** The name as it stands in most payloads: {@code "name":}. */
  final byte[] key;

  /** The first eight bytes of the key, and which bits of them count. */
  final long keyHead;

  final long keyMask;

  final Type type;
  final Kind kind;
  final ValueParser text;
  final List<JsonField> children;

  JsonField(String name, Type type, TimestampText timestamps) {
    this.name = name;
    this.nameBytes = name.getBytes(UTF_8);
    this.key = ('"' + name + "\":").getBytes(UTF_8);
    this.keyHead = JsonInput.head(key);
    this.keyMask = key.length >= 8 ? -1 : (1L << (8 * key.length)) - 1;
    this.type = type;
    this.kind = type.kind();
    this.text = new ValueParser(type, timestamps, false);
    this.children = new ArrayList<>();
    for (int i = 0; i < type.children().size(); i++) {
      String child = kind == Kind.ROW ? type.names().get(i) : name;
      children.add(new JsonField(child, type.children().get(i), timestamps));
    }
  }
}
