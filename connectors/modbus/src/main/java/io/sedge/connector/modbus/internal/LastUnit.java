package io.sedge.connector.modbus.internal;

import com.digitalpetri.modbus.ModbusTcpFrame;
import com.digitalpetri.modbus.client.ModbusTcpClientTransport;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A transport of TCP frames that remembers whose the last answer was: {@code ModbusTcpClient} 2.1.4
 * looks at the transaction alone.
 */
final class LastUnit implements ModbusTcpClientTransport {
  private final ModbusTcpClientTransport transport;
  private int unit;

  LastUnit(ModbusTcpClientTransport transport) {
    this.transport = transport;
  }

  /** The unit id in the last frame. */
  int unit() {
    return unit;
  }

  @Override
  public void receive(Consumer<ModbusTcpFrame> receiver) {
    transport.receive(
        frame -> {
          unit = frame.header().unitId();
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
  public CompletionStage<Void> send(ModbusTcpFrame frame) {
    return transport.send(frame);
  }
}
