package io.sedge.connector.sparkplug.testkit;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.tahu.edge.EdgeClient;
import org.eclipse.tahu.edge.api.MetricHandler;
import org.eclipse.tahu.message.SparkplugBPayloadDecoder;
import org.eclipse.tahu.message.SparkplugBPayloadEncoder;
import org.eclipse.tahu.message.model.EdgeNodeDescriptor;
import org.eclipse.tahu.message.model.MessageType;
import org.eclipse.tahu.message.model.Metric;
import org.eclipse.tahu.message.model.Metric.MetricBuilder;
import org.eclipse.tahu.message.model.MetricDataType;
import org.eclipse.tahu.message.model.SparkplugBPayload;
import org.eclipse.tahu.message.model.SparkplugBPayload.SparkplugBPayloadBuilder;
import org.eclipse.tahu.message.model.SparkplugBPayloadMap;
import org.eclipse.tahu.message.model.SparkplugBPayloadMap.SparkplugBPayloadMapBuilder;
import org.eclipse.tahu.message.model.SparkplugDescriptor;
import org.eclipse.tahu.message.model.StatePayload;
import org.eclipse.tahu.message.model.Topic;
import org.eclipse.tahu.model.MqttServerDefinition;
import org.eclipse.tahu.mqtt.ClientCallback;
import org.eclipse.tahu.mqtt.MqttClientId;
import org.eclipse.tahu.mqtt.MqttServerName;
import org.eclipse.tahu.mqtt.MqttServerUrl;
import org.jspecify.annotations.Nullable;

/**
 * An edge node of Eclipse Tahu, with aliases, one device and a primary host: not ours in what it
 * says and when. Its metrics are {@code speed} of its own and {@code force} of its device.
 */
@SuppressWarnings("JavaUtilDate") // Tahu's times are of it.
public final class TahuNode implements MetricHandler, ClientCallback, AutoCloseable {
  /** Held, so that its level stays: it tells of each step of a broker's outage, with its stack. */
  private static final Logger LOG = Logger.getLogger("org.eclipse.tahu");

  private static final String DEVICE = "press";
  private static final int KEEP_ALIVE_SECONDS = 30;

  private final EdgeNodeDescriptor descriptor;
  private final EdgeClient client;
  private final AtomicInteger births = new AtomicInteger();
  private long deathNumber;
  private long birthNumber;

  /**
   * Begins to connect.
   *
   * @param primaryHost without which it is not born
   */
  public TahuNode(int port, String group, String name, String primaryHost) throws Exception {
    LOG.setLevel(Level.OFF);
    descriptor = new EdgeNodeDescriptor(group, name);
    client =
        new EdgeClient(
            this,
            descriptor,
            List.of(DEVICE),
            primaryHost,
            true,
            1L,
            List.of(
                new MqttServerDefinition(
                    new MqttServerName("test"),
                    new MqttClientId("tahu-" + name, false),
                    new MqttServerUrl("tcp://127.0.0.1:" + port),
                    null,
                    null,
                    KEEP_ALIVE_SECONDS,
                    getDeathTopic())),
            this,
            null);
    Thread.ofPlatform().daemon().name("tahu-" + name).start(client);
  }

  public int births() {
    return births.get();
  }

  public void publish(int speed, double force) throws Exception {
    client.publishNodeData(
        payload(new MetricBuilder("speed", MetricDataType.Int16, (short) speed).createMetric()));
    client.publishDeviceData(
        DEVICE, payload(new MetricBuilder("force", MetricDataType.Double, force).createMetric()));
  }

  private static SparkplugBPayload payload(Metric metric) {
    return new SparkplugBPayloadBuilder()
        .setTimestamp(new Date())
        .addMetric(metric)
        .createPayload();
  }

  @Override
  public Topic getDeathTopic() {
    return new Topic("spBv1.0", descriptor, MessageType.NDEATH);
  }

  @Override
  public synchronized byte[] getDeathPayloadBytes() throws Exception {
    birthNumber = deathNumber++;
    return new SparkplugBPayloadEncoder()
        .getBytes(
            payload(new MetricBuilder("bdSeq", MetricDataType.Int64, birthNumber).createMetric()),
            true);
  }

  @Override
  public synchronized void publishBirthSequence() {
    try {
      SparkplugBPayloadMap birth =
          new SparkplugBPayloadMapBuilder()
              .setTimestamp(new Date())
              .addMetric(
                  new MetricBuilder("bdSeq", MetricDataType.Int64, birthNumber).createMetric())
              .addMetric(
                  new MetricBuilder("speed", MetricDataType.Int16, (short) -1).createMetric())
              .createPayload();
      client.publishNodeBirth(birth);
      client.publishDeviceBirth(
          DEVICE, payload(new MetricBuilder("force", MetricDataType.Double, 0.5).createMetric()));
      births.incrementAndGet();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean hasMetric(SparkplugDescriptor of, String metric) {
    return true;
  }

  @Override
  public void messageArrived(
      MqttServerName server,
      MqttServerUrl url,
      MqttClientId id,
      String topic,
      MqttMessage message) {
    try {
      if (topic.startsWith("spBv1.0/STATE/")) {
        client.handleStateMessage(
            topic.substring("spBv1.0/STATE/".length()),
            new ObjectMapper().readValue(message.getPayload(), StatePayload.class));
      } else if (topic.contains("/NCMD/")) {
        SparkplugBPayload command =
            new SparkplugBPayloadDecoder().buildFromByteArray(message.getPayload(), null);
        for (Metric metric : command.getMetrics()) {
          if ("Node Control/Rebirth".equals(metric.getName())
              && Boolean.TRUE.equals(metric.getValue())) {
            client.handleRebirthRequest(true);
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (Exception e) {
      throw new IllegalStateException("of Tahu", e);
    }
  }

  @Override
  public void connectionLost(
      MqttServerName server, MqttServerUrl url, MqttClientId id, @Nullable Throwable cause) {}

  @Override
  public void connectComplete(
      boolean again, MqttServerName server, MqttServerUrl url, MqttClientId id) {}

  @Override
  public void shutdown() {}

  @Override
  public void close() {
    client.shutdown();
  }
}
