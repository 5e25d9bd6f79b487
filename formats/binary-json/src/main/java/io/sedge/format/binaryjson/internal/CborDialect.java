package io.sedge.format.binaryjson.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** CBOR (RFC 8949) by Jackson. A number with the tag 1 is seconds since 1970. */
public final class CborDialect implements Dialect {
  private static final int EPOCH_TAG = 1;
  private static final int NANOS_DIGITS = 9;

  private final CBORFactory factory = new CBORFactory();

  @Override
  public JsonParser parser(byte[] payload, int offset, int length) throws IOException {
    return factory.createParser(payload, offset, length);
  }

  @Override
  public boolean isAtEnd(JsonParser parser) throws IOException {
    return parser.nextToken() == null;
  }

  @Override
  public JsonGenerator generator(OutputStream output) throws IOException {
    return factory.createGenerator(output);
  }

  @Override
  public Optional<Instant> time(JsonParser parser) throws IOException {
    if (!parser.currentToken().isNumeric()
        || !((CBORParser) parser).getCurrentTags().contains(EPOCH_TAG)) {
      return Optional.empty();
    }
    try {
      BigDecimal seconds = parser.getDecimalValue();
      long whole = seconds.setScale(0, RoundingMode.FLOOR).longValueExact();
      BigDecimal fraction = seconds.subtract(BigDecimal.valueOf(whole));
      return Optional.of(
          Instant.ofEpochSecond(whole, fraction.movePointRight(NANOS_DIGITS).longValue()));
    } catch (ArithmeticException | DateTimeException | NumberFormatException e) {
      return Optional.empty(); // Further away than any time: it is a number that does not fit.
    }
  }
}
