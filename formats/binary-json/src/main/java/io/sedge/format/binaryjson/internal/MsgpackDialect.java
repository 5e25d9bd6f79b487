package io.sedge.format.binaryjson.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sedge.connector.format.MalformedPayloadException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.jackson.dataformat.MessagePackExtensionType;
import org.msgpack.jackson.dataformat.MessagePackFactory;

/** MessagePack by its own libraries. The extension -1 is a time. */
public final class MsgpackDialect implements Dialect {
  private static final byte TIME = -1;
  private static final int SECONDS_BITS = 34;

  private final MessagePackFactory factory = new MessagePackFactory();

  /** The library makes room for what a length says; so all lengths are looked at first. */
  @Override
  public JsonParser parser(byte[] payload, int offset, int length)
      throws IOException, MalformedPayloadException {
    try (MessageUnpacker lengths = MessagePack.newDefaultUnpacker(payload, offset, length)) {
      lengths.skipValue();
      if (lengths.hasNext()) {
        throw new MalformedPayloadException(BinaryJson.MORE);
      }
    } catch (MessagePackException e) {
      throw new MalformedPayloadException("it ends amid a value, or has no value");
    }
    // The factory takes the length for the end, up to 0.9.11.
    return factory.createParser(Arrays.copyOfRange(payload, offset, offset + length));
  }

  /** Looked at before. */
  @Override
  public boolean isAtEnd(JsonParser parser) {
    return true;
  }

  @Override
  public JsonGenerator generator(OutputStream output) throws IOException {
    return factory.createGenerator(output);
  }

  @Override
  public Optional<Instant> time(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.VALUE_EMBEDDED_OBJECT
        || !(parser.getEmbeddedObject() instanceof MessagePackExtensionType extension)
        || extension.getType() != TIME) {
      return Optional.empty();
    }
    ByteBuffer data = ByteBuffer.wrap(extension.getData());
    try {
      return switch (data.remaining()) {
        case 4 -> Optional.of(Instant.ofEpochSecond(Integer.toUnsignedLong(data.getInt())));
        case 8 -> {
          long both = data.getLong();
          yield Optional.of(
              Instant.ofEpochSecond(both & ((1L << SECONDS_BITS) - 1), both >>> SECONDS_BITS));
        }
        case 12 -> {
          long nanos = Integer.toUnsignedLong(data.getInt());
          yield Optional.of(Instant.ofEpochSecond(data.getLong(), nanos));
        }
        default -> Optional.empty();
      };
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }
}
