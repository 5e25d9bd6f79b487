package io.sedge.connector.mqtt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What it says of the last packets, against a list of them. */
final class AcknowledgedPacketsTest {
  private static final int LAST = 16;
  private static final int PACKETS = 40;

  @Test
  void theTrailIsOfTheLastPacketsThatWereNotForgotten() {
    long seed = System.nanoTime();
    for (int run = 0; run < 50; run++) {
      Random random = new Random(seed + run);
      AcknowledgedPackets packets = new AcknowledgedPackets(LAST);
      List<Integer> added = new ArrayList<>(); // 0 for one that was forgotten
      for (int step = 0; step < 300; step++) {
        int packet = 1 + random.nextInt(PACKETS);
        if (random.nextInt(4) == 0) {
          packets.forget(packet);
          added.replaceAll(known -> known == packet ? 0 : known);
        } else {
          packets.add(packet, packet * 31);
          added.replaceAll(known -> known == packet ? 0 : known);
          added.add(packet);
        }
        PacketTrail trail =
            PacketTrail.decode(PacketTrail.decode(packets.trail().encode()).encode());
        List<Integer> last = added.subList(Math.max(0, added.size() - LAST), added.size());
        for (int other = 1; other <= PACKETS; other++) {
          assertThat(trail.mayHold(other))
              .as("seed %d, step %d, packet %d", seed + run, step, other)
              .isEqualTo(last.contains(other));
        }
      }
    }
  }

  @Test
  void whatAFormerReaderKnewOfIsOlderAndNoneOfItIsKnown() {
    PacketTrail former = new PacketTrail();
    for (int i = 0; i < LAST; i++) {
      former.add(65_530 + i & 0xFFFF, 7);
    }
    AcknowledgedPackets packets = new AcknowledgedPackets(LAST);
    packets.addAll(former);
    int last = 65_530 + LAST - 1 & 0xFFFF;
    assertThat(packets.trail().encode()).isEqualTo(former.encode());
    assertThat(packets.isKnown(last, 7)).isFalse();
    assertThat(packets.isKnown(last - 1, 7)).isFalse();
    assertThat(packets.isKnown(last - 1, 0)).isFalse();
    packets.add(last + 1, 8);
    assertThat(packets.trail().mayHold(65_530)).isFalse();
    assertThat(packets.trail().mayHold(65_531)).isTrue();
    packets.add(last - 1, 9);
    assertThat(packets.isKnown(last - 1, 9)).isTrue();
  }
}
