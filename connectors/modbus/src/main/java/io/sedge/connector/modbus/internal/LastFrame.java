package io.sedge.connector.modbus.internal;

import com.digitalpetri.modbus.ModbusRtuFrame;
import com.digitalpetri.modbus.client.ModbusRtuClientTransport;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A transport of RTU frames that remembers the code of the last exception: {@code ModbusRtuClient}
 * 2.1.4 takes the function code for it.
 */
final class LastFrame implements ModbusRtuClientTransport {
  private final ModbusRtuClientTransport transport;
  private int code;

  LastFrame(ModbusRtuClientTransport transport) {
    this.transport = transport;
  }

  /** The exception code in the last frame; of a frame that is no exception anything. */
  int exceptionCode() {
    return code;
  }

  @Override
  public void receive(Consumer<ModbusRtuFrame> receiver) {
    transport.receive(
        frame -> {
          ByteBuffer pdu = frame.pdu();
          code = pdu.remaining() > 1 ? pdu.get(pdu.position() + 1) & 0xFF : 0;
          receiver.accept(frame);
        });
  }

  @Override
  public CompletionStage<Void> connect() {
    return transport.connect();
  }

  @Override
  public CompletionStage<Void> disconnect() {
    return transport.disconnect();
  }

  @Override
  public boolean isConnected() {
    return transport.isConnected();
  }

  @Override
  public CompletionStage<Void> send(ModbusRtuFrame frame) {
    return transport.send(frame);
  }

  @Override
  public void resetFrameParser() {
    transport.resetFrameParser();
  }
}
