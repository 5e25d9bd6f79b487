package io.sedge.connector.mqtt.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What it tells the next reader, against a list. */
final class AcknowledgedPacketsTest {
  private static final int KEPT = 16;
  private static final int TAGGED = 6;
  private static final int PACKETS = 40;

  /** What a trail tells: identifiers and tags, none where only the identifier is known. */
  private static Map<Integer, Integer> told(AcknowledgedPackets packets, int tagged) {
    PacketTrail trail = new PacketTrail();
    packets.addTo(trail, tagged);
    Map<Integer, Integer> told = new LinkedHashMap<>();
    PacketTrail.decode(ByteBuffer.wrap(trail.encode()))
        .forEach(packet -> told.put(packet, null), told::put);
    return told;
  }

  /** A message with its identifier; 0 once the broker has used the identifier anew. */
  private record Known(int packet, int tag) {}

  @Test
  void theTrailIsOfTheLastPacketsOfWhichTheBrokerMayNotHaveHeard() {
    long seed = System.nanoTime();
    for (int run = 0; run < 50; run++) {
      Random random = new Random(seed + run);
      AcknowledgedPackets packets = new AcknowledgedPackets(KEPT);
      List<Known> added = new ArrayList<>();
      for (int step = 0; step < 300; step++) {
        int packet = 1 + random.nextInt(PACKETS);
        if (random.nextInt(8) == 0) {
          packets.forget(packet);
          int heard = lastOf(added, packet);
          if (heard >= 0) {
            added.subList(0, heard + 1).replaceAll(_ -> new Known(0, 0));
          }
        } else {
          packets.add(packet, step);
          added.replaceAll(known -> known.packet() == packet ? new Known(0, 0) : known);
          added.add(new Known(packet, step));
        }
        Map<Integer, Integer> expected = new LinkedHashMap<>();
        int size = added.size();
        for (int i = Math.max(0, size - KEPT); i < size; i++) {
          Known known = added.get(i);
          if (known.packet() > 0) {
            expected.put(known.packet(), i < size - TAGGED ? null : Integer.valueOf(known.tag()));
          }
        }
        assertThat(told(packets, TAGGED))
            .as("seed %d, step %d", seed + run, step)
            .isEqualTo(expected);
      }
    }
  }

  private static int lastOf(List<Known> added, int packet) {
    int last = -1;
    for (int i = 0; i < added.size(); i++) {
      last = added.get(i).packet() == packet ? i : last;
    }
    return last;
  }

  @Test
  void whatAFormerReaderKnewIsKnownAsWellAsItTold() {
    AcknowledgedPackets former = new AcknowledgedPackets(KEPT);
    for (int i = 0; i < 10; i++) {
      former.add(65_530 + i & 0xFFFF, i);
    }
    PacketTrail trail = new PacketTrail();
    former.addTo(trail, TAGGED);
    AcknowledgedPackets packets = new AcknowledgedPackets(KEPT);
    packets.addAll(trail);
    assertThat(packets.isKnown(65_530, 77)).as("only its identifier is told").isTrue();
    assertThat(packets.isKnown(65_534, 4)).isTrue();
    assertThat(packets.isKnown(65_534, 5)).isFalse();
    assertThat(packets.isKnown(3, 9)).isTrue();
    assertThat(packets.isKnown(3, 8)).isFalse();
    assertThat(packets.isKnown(4, 9)).isFalse();
    assertThat(told(packets, KEPT)).isEqualTo(told(former, TAGGED));
    packets.add(65_530, 10);
    assertThat(packets.isKnown(65_530, 77)).isFalse();
  }

  @Test
  void manySingleIdentifiersAreFewRuns() {
    PacketTrail trail = new PacketTrail();
    for (int packet = 1; packet < 60_000; packet += 7) {
      trail.addOlder(packet);
    }
    byte[] bytes = trail.encode();
    assertThat(bytes).hasSizeLessThan(4 * PacketTrail.MAX_RUNS + 10);
    List<Integer> read = new ArrayList<>();
    PacketTrail.decode(ByteBuffer.wrap(bytes)).forEach(read::add, (_, _) -> {});
    for (int packet = 1; packet < 60_000; packet += 7) {
      assertThat(read).contains(packet);
    }
  }

  @Test
  void bytesOfAnotherKindAreRefused() {
    PacketTrail trail = new PacketTrail();
    trail.addOlder(7);
    trail.add(8, 9);
    byte[] bytes = trail.encode();
    for (int length : new int[] {0, bytes.length - 1, bytes.length + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PacketTrail.decode(ByteBuffer.wrap(Arrays.copyOf(bytes, length))));
    }
  }
}
