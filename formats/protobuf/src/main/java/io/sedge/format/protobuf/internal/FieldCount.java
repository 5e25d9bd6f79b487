package io.sedge.format.protobuf.internal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.sedge.connector.format.MalformedPayloadException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How many fields a payload has, in all its messages: one may take two bytes of it, known or not,
 * and some hundred of memory. Numbers that are packed take a few times their bytes and are not
 * counted, but for those of an enum, of which each that is unknown takes as much as a field. One
 * thread.
 */
final class FieldCount {
  static final int MAX_FIELDS = 65_536;

  /** As the parser's: it says what is wrong with messages that are deeper. */
  private static final int MAX_DEPTH = 100;

  private final CodedInputStream input;
  private int fields;

  private FieldCount(CodedInputStream input) {
    this.input = input;
  }

  /**
   * Returns if a payload has few fields enough to be parsed; it may be malformed in other ways.
   *
   * @throws MalformedPayloadException if it has more
   * @throws InvalidProtocolBufferException if it is no message
   */
  static void check(Descriptor message, byte[] payload, int offset, int length)
      throws MalformedPayloadException, InvalidProtocolBufferException {
    try {
      new FieldCount(CodedInputStream.newInstance(payload, offset, length)).message(message, 0);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException("an array is read without input or output", e);
    }
  }

  /**
   * Counts up to the end of a message or group.
   *
   * @param message null if it is unknown
   */
  private void message(@Nullable Descriptor message, int depth)
      throws IOException, MalformedPayloadException {
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      int wireType = WireFormat.getTagWireType(tag);
      if (wireType == WireFormat.WIRETYPE_END_GROUP) {
        return;
      }
      count();
      FieldDescriptor field =
          message == null ? null : message.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      Descriptor its =
          field != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              ? field.getMessageType()
              : null;
      if (wireType == WireFormat.WIRETYPE_START_GROUP && depth < MAX_DEPTH) {
        message(its, depth + 1);
      } else if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED
          && its != null
          && depth < MAX_DEPTH) {
        int limit = input.pushLimit(input.readRawVarint32());
        message(its, depth + 1);
        input.skipRawBytes(input.getBytesUntilLimit());
        input.popLimit(limit);
      } else if (wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED
          && field != null
          && field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        int limit = input.pushLimit(input.readRawVarint32());
        while (input.getBytesUntilLimit() > 0) {
          input.readRawVarint64();
          count();
        }
        input.popLimit(limit);
      } else {
        input.skipField(tag);
      }
    }
  }

  private void count() throws MalformedPayloadException {
    if (++fields > MAX_FIELDS) {
      throw new MalformedPayloadException(
          "it has more than %,d fields and elements".formatted(MAX_FIELDS));
    }
  }
}
