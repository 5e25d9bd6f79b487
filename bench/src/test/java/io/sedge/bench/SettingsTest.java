package io.sedge.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static Settings parse(String... args) {
    return Settings.parse(args);
  }

  @Test
  void withoutOptionsEverythingIsMeasured() {
    Settings settings = parse();
    assertThat(settings.parts()).isEqualTo(Settings.PARTS);
    assertThat(settings.contenders()).isEqualTo(Entry.names());
    assertThat(settings.readings()).isEqualTo(20_000_000);
  }

  @Test
  void aGivenNumberHoldsInAQuickLookToo() {
    Settings settings = parse("--rounds=2", "--quick");
    assertThat(settings.rounds()).isEqualTo(2);
    assertThat(settings.seconds()).isEqualTo(5);
  }

  @Test
  void theTimeThatIsGivenHoldsForAllPartsThatTakeOneAndElseEachHasItsOwn() {
    assertThat(parse().seconds()).isEqualTo(20);
    assertThat(parse().plant().seconds()).isEqualTo(180);
    assertThat(parse("--seconds=3600").plant().seconds()).isEqualTo(3600);
    assertThat(parse("--seconds=3600").seconds()).isEqualTo(3600);
    assertThat(parse("--seconds=3600").center().seconds()).isEqualTo(3600);
  }

  @Test
  void aQuickLookHasAllSitesWithFewerRows() {
    assertThat(parse("--quick").center().sites()).isEqualTo(parse().center().sites());
    assertThat(parse("--quick").center().windows()).isLessThan(parse().center().windows());
    assertThat(parse("--quick", "--sites=20").center().sites()).isEqualTo(20);
  }

  @Test
  void partsComeInTheirOwnOrder() {
    assertThat(parse("--parts=latency,throughput").parts())
        .isEqualTo(List.of("throughput", "latency"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --readings=much     | --readings=much is not a number; 1 to 2147483647
          --rounds=0          | --rounds=0 is out of range; 1 to 2147483647
          --round=3           | --round is not an option; see --help
          fast                | fast is not an option; see --help
          --qos=3             | --qos=3 is out of range; 0 to 2
          --broker=emqx       | --broker=emqx: emqx is none of embedded, mosquitto
          --broker=mosquitto,embedded | --broker=mosquitto,embedded is more than one of embedded, mosquitto
          --workloads=W1,W9   | --workloads=W1,W9: W9 is none of W1, W2, W3
          """)
  void whatIsWrongIsSaid(String arg, String message) {
    assertThatThrownBy(() -> parse(arg)).hasMessage(message);
  }

  @Test
  void anOptionIsNotGivenTwice() {
    assertThatThrownBy(() -> parse("--rounds=1", "--rounds=2"))
        .hasMessage("--rounds is given twice");
  }
}
