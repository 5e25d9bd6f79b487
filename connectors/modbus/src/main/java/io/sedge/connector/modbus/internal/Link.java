package io.sedge.connector.modbus.internal;

import com.digitalpetri.modbus.client.ModbusClient;
import com.digitalpetri.modbus.exceptions.ModbusException;
import com.digitalpetri.modbus.exceptions.ModbusResponseException;
import com.digitalpetri.modbus.pdu.ModbusRequestPdu;
import com.digitalpetri.modbus.pdu.ModbusResponsePdu;
import com.digitalpetri.modbus.pdu.ReadCoilsRequest;
import com.digitalpetri.modbus.pdu.ReadCoilsResponse;
import com.digitalpetri.modbus.pdu.ReadDiscreteInputsRequest;
import com.digitalpetri.modbus.pdu.ReadDiscreteInputsResponse;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersRequest;
import com.digitalpetri.modbus.pdu.ReadHoldingRegistersResponse;
import com.digitalpetri.modbus.pdu.ReadInputRegistersRequest;
import com.digitalpetri.modbus.pdu.ReadInputRegistersResponse;
import com.digitalpetri.modbus.pdu.WriteMultipleCoilsRequest;
import com.digitalpetri.modbus.pdu.WriteMultipleCoilsResponse;
import com.digitalpetri.modbus.pdu.WriteMultipleRegistersRequest;
import com.digitalpetri.modbus.pdu.WriteMultipleRegistersResponse;
import com.digitalpetri.modbus.pdu.WriteSingleCoilRequest;
import com.digitalpetri.modbus.pdu.WriteSingleCoilResponse;
import com.digitalpetri.modbus.pdu.WriteSingleRegisterRequest;
import com.digitalpetri.modbus.pdu.WriteSingleRegisterResponse;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is made. Belongs to its loop's thread, on which outcomes are told too, each
 * once. After {@link #close} outcomes may still come; whoever closes it no longer listens.
 */
final class Link implements AutoCloseable {
  private static final byte[] NOTHING = {};

  /** What stands for a coil that is set. */
  private static final int ON = 0xFF00;

  private static final int ANY_UNIT = 255;

  private final ModbusClient client;
  private final IntSupplier exceptionCode;
  private final IntSupplier answering;
  private final Consumer<Throwable> broken;

  /**
   * @param exceptionCode the code in the last exception, where the client itself has it wrong; -1:
   *     the client is right
   * @param answering whose the last answer was, where the client does not look; -1: it does
   * @param broken told what an outcome's consumer has thrown
   */
  Link(
      ModbusClient client,
      IntSupplier exceptionCode,
      IntSupplier answering,
      Consumer<Throwable> broken) {
    this.client = client;
    this.exceptionCode = exceptionCode;
    this.answering = answering;
    this.broken = broken;
  }

  /** Asks a unit for values. */
  void read(int unit, Span span, Consumer<Outcome> consumer) {
    ModbusRequestPdu request =
        switch (span.kind()) {
          case COIL -> new ReadCoilsRequest(span.address(), span.count());
          case DISCRETE -> new ReadDiscreteInputsRequest(span.address(), span.count());
          case INPUT -> new ReadInputRegistersRequest(span.address(), span.count());
          case HOLDING -> new ReadHoldingRegistersRequest(span.address(), span.count());
        };
    send(unit, request, response -> checked(values(response), span), consumer);
  }

  /**
   * Writes values.
   *
   * @param values as an answer to reading the span would have them
   */
  void write(int unit, Span span, byte[] values, Consumer<Outcome> consumer) {
    boolean single = span.count() == 1;
    ModbusRequestPdu request;
    if (span.kind() == RegisterKind.COIL) {
      request =
          single
              ? new WriteSingleCoilRequest(span.address(), values[0] != 0)
              : new WriteMultipleCoilsRequest(span.address(), span.count(), values);
    } else {
      request =
          single
              ? new WriteSingleRegisterRequest(span.address(), register(values))
              : new WriteMultipleRegistersRequest(span.address(), span.count(), values);
    }
    send(unit, request, response -> echoed(response, span, values), consumer);
  }

  /** What makes an outcome of an answer. */
  private interface Reading {
    Outcome of(ModbusResponsePdu response);
  }

  private void send(
      int unit, ModbusRequestPdu request, Reading reading, Consumer<Outcome> consumer) {
    var _ =
        client
            .sendAsync(unit, request)
            .whenComplete(
                (response, thrown) -> {
                  try {
                    Outcome outcome = thrown == null ? reading.of(response) : failure(thrown);
                    consumer.accept(ofUnit(unit, outcome));
                  } catch (Throwable e) {
                    broken.accept(e);
                  }
                });
  }

  /** An answer is the unit's own. Devices without units may put 0 or 255 for whatever was asked. */
  private Outcome ofUnit(int unit, Outcome outcome) {
    if (!(outcome instanceof Outcome.Answered) && !(outcome instanceof Outcome.Refused)) {
      return outcome;
    }
    int answered = answering.getAsInt();
    if (answered <= 0 || answered == ANY_UNIT || answered == unit) {
      return outcome;
    }
    return new Outcome.Garbled(
        new byte[] {(byte) answered},
        "the answer is unit %d's, not unit %d's".formatted(answered, unit));
  }

  private static byte[] values(ModbusResponsePdu response) {
    return switch (response) {
      case ReadCoilsResponse coils -> coils.coils();
      case ReadDiscreteInputsResponse inputs -> inputs.inputs();
      case ReadInputRegistersResponse input -> input.registers();
      case ReadHoldingRegistersResponse holding -> holding.registers();
      default -> NOTHING;
    };
  }

  private static Outcome checked(byte[] values, Span span) {
    return values.length == span.bytes()
        ? new Outcome.Answered(values)
        : new Outcome.Garbled(
            values, "the answer has %d bytes, not %d".formatted(values.length, span.bytes()));
  }

  /** An answer to a write repeats the address, and the value of one or the number of several. */
  private static Outcome echoed(ModbusResponsePdu response, Span span, byte[] values) {
    boolean coil = span.kind() == RegisterKind.COIL;
    int single = coil ? (values[0] == 0 ? 0 : ON) : register(values);
    int wanted = span.count() == 1 ? single : span.count();
    return switch (response) {
      case WriteSingleCoilResponse it -> echoed(it.address(), it.value(), span, wanted);
      case WriteSingleRegisterResponse it -> echoed(it.address(), it.value(), span, wanted);
      case WriteMultipleCoilsResponse it -> echoed(it.address(), it.quantity(), span, wanted);
      case WriteMultipleRegistersResponse it -> echoed(it.address(), it.quantity(), span, wanted);
      default -> new Outcome.Garbled(NOTHING, "the answer is to another request");
    };
  }

  private static Outcome echoed(int address, int number, Span span, int wanted) {
    if (address == span.address() && number == wanted) {
      return new Outcome.Answered(NOTHING);
    }
    byte[] answer =
        ByteBuffer.allocate(4).putShort((short) address).putShort((short) number).array();
    return new Outcome.Garbled(
        answer,
        "the answer repeats address %d and %d, not %d and %d"
            .formatted(address, number, span.address(), wanted));
  }

  private static int register(byte[] values) {
    return (values[0] & 0xFF) << 8 | (values[1] & 0xFF);
  }

  private Outcome failure(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    return switch (cause) {
      case TimeoutException _ -> new Outcome.NoAnswer();
      case ModbusResponseException refused -> {
        int code = exceptionCode.getAsInt();
        yield new Outcome.Refused(code < 0 ? refused.getExceptionCode() : code);
      }
      case ModbusException garbled -> new Outcome.Garbled(NOTHING, message(garbled));
      case BufferUnderflowException _ ->
          new Outcome.Garbled(NOTHING, "the answer is shorter than it says");
      default -> new Outcome.Lost(message(cause));
    };
  }

  /** What people get to read of a failure. */
  static String message(Throwable thrown) {
    @Nullable String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  @Override
  public void close() {
    var _ = client.getTransport().disconnect();
  }
}
