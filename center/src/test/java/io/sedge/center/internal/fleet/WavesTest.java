package io.sedge.center.internal.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many sites are given a version at once. */
class WavesTest {
  @Test
  void sitesAreOfWavesInTheirOrder() {
    assertThat(Waves.of(Waves.DEFAULT, 4)).containsExactly(1, 2, 2, 2);
    assertThat(Waves.of(List.of("1", "25%", "rest"), 8)).containsExactly(1, 2, 2, 3, 3, 3, 3, 3);
    assertThat(Waves.of(List.of("5", "rest"), 2)).containsExactly(1, 1);
    assertThat(Waves.of(List.of("1%"), 1)).containsExactly(1);
    assertThat(Waves.of(Waves.DEFAULT, 0)).isEmpty();
  }

  @Test
  void whatNoWaveHasRoomForIsOfOneMore() {
    assertThat(Waves.of(List.of("1", "2"), 5)).containsExactly(1, 2, 2, 3, 3);
  }

  @Test
  void wavesThatSayNothingAreRefused() {
    assertThat(Waves.problem(List.of("1", "25%", "rest"))).isEmpty();
    for (String wave : List.of("0", "0%", "101%", "-1", "half", "", "1.5")) {
      assertThat(Waves.problem(List.of(wave))).as(wave).contains("wave '" + wave + "'");
    }
    assertThat(Waves.problem(List.of("rest", "1"))).contains("rest as the last");
    assertThat(Waves.problem(List.of())).contains("1 to 20 are allowed");
    assertThat(Waves.problem(Collections.nCopies(Waves.MAX_WAVES + 1, "1"))).contains("21 waves");
  }
}
