package io.sedge.format.avro.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;

/** Encodes records after the number of their schema, which is registered first. One thread. */
public final class RegisteredEncoder implements RowEncoder {
  private final Schema schema;
  private final RegistryOptions options;
  private final String subject;
  private final PlainEncoder records;
  private byte[] head = {};

  /**
   * @throws ConnectorException of kind USER if the columns do not fit the schema
   */
  public RegisteredEncoder(
      SchemaMapping mapping, Schema schema, RegistryOptions options, String subject) {
    this.schema = schema;
    this.options = options;
    this.subject = subject;
    this.records = new PlainEncoder(mapping, schema, false);
  }

  @Override
  public void open(String table, ConnectorContext context) {
    try (Registry registry =
        new Registry(table, options, new RegistryFiles(table, options, context).tls())) {
      head = head(register(table, registry));
    }
  }

  private int register(String table, Registry registry) {
    try {
      return registry.id(subject, schema, options.registers());
    } catch (Registry.RefusedException e) {
      throw failed(
          ConnectorException.Kind.USER, table, registry, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw failed(ConnectorException.Kind.EXTERNAL, table, registry, Failures.text(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(
          ConnectorException.Kind.EXTERNAL, table, registry, "asking it was interrupted", e);
    }
  }

  private static ConnectorException failed(
      ConnectorException.Kind kind, String table, Registry registry, String why, Throwable cause) {
    return new ConnectorException(
        kind,
        "table %s: schema registry at %s: %s; without the number of its schema nothing can be written"
            .formatted(table, registry.place(), why),
        cause);
  }

  private static byte[] head(int id) {
    return ByteBuffer.allocate(RegisteredDecoder.HEAD_BYTES).put((byte) 0).putInt(id).array();
  }

  @Override
  public void encode(Batch batch, int row, ByteArrayOutputStream output)
      throws MalformedRowException {
    if (head.length == 0) {
      throw new IllegalStateException("not opened");
    }
    output.writeBytes(head);
    records.encode(batch, row, output);
  }
}
