package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.LogQuery;
import io.sedge.identity.message.Frames;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.SiteControl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log that no flood fills. */
class DeviceLogTest {
  private static final long SECOND = 1_000_000_000;

  private final List<String> said = new ArrayList<>();
  private long now = Long.MAX_VALUE - 5 * SECOND; // It may overflow.
  private final DeviceLog log =
      new DeviceLog(() -> Instant.EPOCH, () -> now, line -> said.add(line.text()));

  private void pass(long seconds) {
    now += seconds * SECOND;
    log.tell();
  }

  private void add(String message) {
    log.add(Severity.WARNING, "plant/press", message);
  }

  @Test
  void repeatsAreToldOnceAndCounted() {
    for (int i = 0; i < 1_000; i++) {
      add("the broker is gone, tried again in %d s".formatted(i));
    }
    assertThat(said).containsExactly("the broker is gone, tried again in 0 s");
    assertThat(log.lines("plant", 0))
        .extracting(LogLine::text)
        .containsExactly("the broker is gone, tried again in 0 s (… 999 more like this)");
    pass(10);
    assertThat(said.getLast())
        .isEqualTo(
            "… 999 more like this in the last 10 s: the broker is gone, tried again in 999 s");
    add("the broker is gone, tried again in 7 s");
    pass(59);
    assertThat(said).hasSize(2);
    pass(1);
    assertThat(said.getLast())
        .isEqualTo("… 1 more like this in the last 60 s: the broker is gone, tried again in 7 s");
    assertThat(log.lines("plant", 0)).extracting(LogLine::repeats).containsExactly(0L, 999L, 1L);
    pass(60);
    assertThat(said).hasSize(3);
    add("the broker is gone, tried again in 1 s");
    assertThat(said.getLast()).isEqualTo("the broker is gone, tried again in 1 s");
    assertThat(log.count(Severity.WARNING)).isEqualTo(1_002);
  }

  @Test
  void whatIsSaidOfOthersIsNoRepeat() {
    add("device gateway-1 is gone");
    add("device gateway-2 is gone");
    log.add(Severity.WARNING, "plant/mill", "device gateway-1 is gone");
    log.add(Severity.ERROR, "plant/press", "device gateway-1 is gone");
    assertThat(said).hasSize(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tried again in 30 s | tried again in # s",
        "after 12ms, (3 of 4) | after # # of #",
        "valid until 2026-11-21T12:00:00Z | valid until #",
        "1,024 rows, 12.5% | # rows, #",
        "refused 10.0.0.7:53422: late | refused 10.0.0.7: late",
        "refused 10.0.0.8: late | refused 10.0.0.8: late",
        "task plant/numbers/2 goes to d2 | task plant/numbers/2 goes to d2",
      })
  void onlyNumbersAreLeftOut(String message, String kind) {
    assertThat(MessageKind.of(Severity.INFO, "", message).text()).isEqualTo(kind);
  }

  @Test
  void aFloodOfDifferentMessagesIsCutAndCountedAndErrorsStillGetThrough() {
    for (int i = 0; i < 100_000; i++) {
      add("message of x" + i);
    }
    assertThat(said).hasSize(DeviceLog.BURST);
    log.add(Severity.ERROR, "", "something else");
    assertThat(said.getLast()).isEqualTo("something else");
    pass(60);
    assertThat(said.getLast())
        .isEqualTo("99,900 more messages were left out: too many different ones at a time");
    for (int i = 0; i < 100; i++) {
      add("later message of x" + i);
    }
    assertThat(said).as("one more a second").hasSize(DeviceLog.BURST + 2 + 60);
  }

  @Test
  void allOfItIsBounded() {
    for (int i = 0; i < 5_000; i++) {
      pass(1);
      add("x".repeat(10_000) + " y" + i);
      add("m" + i);
      add("m" + i);
    }
    List<LogLine> lines = log.lines("", 0);
    assertThat(lines).hasSize(SiteControl.MAX_LOG_LINES);
    assertThat(lines).allMatch(line -> line.message().length() <= DeviceLog.MAX_CHARACTERS + 1);
  }

  @Test
  void whatATaskComplainsOfIsKnownUntilItSaysSomethingGood() {
    add("cannot connect, next attempt in 1 s");
    add("cannot connect, next attempt in 2 s");
    assertThat(log.complaint("plant/press")).isEqualTo("cannot connect, next attempt in 2 s");
    assertThat(log.complaint("plant/mill")).isEmpty();
    log.add(Severity.INFO, "plant/press", "connected again");
    assertThat(log.complaint("plant/press")).isEmpty();
  }

  @Test
  void whatWasRepeatedIsToldAtTheEnd() {
    add("a");
    add("a");
    log.close();
    assertThat(said).containsExactly("a", "… 1 more like this in the last 1 s: a");
  }

  private List<LogLine> pages(DeviceLog read, String job, int characters, int most) {
    List<LogLine> lines = new ArrayList<>();
    LogPage page = new LogPage(List.of(), "", true);
    while (page.more()) {
      page = read.page(new LogQuery(job, page.mark(), characters));
      assertThat(page.lines()).hasSizeBetween(1, most);
      lines.addAll(page.lines());
    }
    assertThat(read.page(new LogQuery(job, page.mark(), characters)).lines())
        .as("all was read")
        .isEmpty();
    return lines;
  }

  @Test
  void itIsReadInPagesOfWhichEachHasALineAtLeastAndNoneIsTooLong() {
    for (int i = 0; i < 20; i++) {
      add("message of x" + i);
      log.add(Severity.INFO, "", "of the device, y" + i);
    }
    add("z".repeat(5_000));
    assertThat(pages(log, "plant", 0, 1)).isEqualTo(log.lines("plant", 0)).hasSize(21);
    assertThat(pages(log, "", 1_000, 4)).isEqualTo(log.lines("", 0)).hasSize(41);
    assertThat(pages(log, "", Integer.MAX_VALUE, 41)).hasSize(41);
  }

  @Test
  void aMarkIsOfTheProcessThatGaveIt() {
    add("before");
    String mark = log.page(new LogQuery("", "", 1_000)).mark();
    add("after");
    assertThat(log.page(new LogQuery("", mark, 1_000)).lines())
        .extracting(LogLine::text)
        .containsExactly("after");
    DeviceLog next = new DeviceLog(() -> Instant.EPOCH, () -> now, _ -> {});
    next.add(Severity.INFO, "", "started again");
    assertThat(next.page(new LogQuery("", mark, 1_000)).lines()).hasSize(1);
    assertThat(
            next.page(new LogQuery("", mark.substring(0, mark.indexOf(':') + 1) + "x", 1_000))
                .lines())
        .hasSize(1);
    assertThat(
            log.page(new LogQuery("", mark.substring(0, mark.indexOf(':') + 1) + "x", 1_000))
                .lines())
        .as("a mark that is none")
        .hasSize(2);
  }

  @Test
  void whoWantsTheLatestLinesGetsThoseThatFit() {
    for (int i = 0; i < 50; i++) {
      add(Character.toString('a' + i % 26).repeat(100 + i));
    }
    List<LogLine> all = log.page(new LogQuery("", "", LogPage.MAX_CHARACTERS)).lines();
    LogPage latest = log.page(new LogQuery("", "", 1_000, true));
    assertThat(latest.lines())
        .isEqualTo(all.subList(all.size() - latest.lines().size(), all.size()))
        .hasSize(2);
    assertThat(latest.more()).isFalse();
    assertThat(log.page(new LogQuery("", latest.mark(), 1_000)).lines()).isEmpty();
    assertThat(log.page(new LogQuery("", "", 1, true)).lines())
        .as("one that is longer is given all the same")
        .containsExactly(all.getLast());
  }

  /** Whatever it is made of; also what was cut in the middle of a character. */
  @Test
  void theLongestPageFitsIntoItsFrame() throws Exception {
    for (int i = 0; i < DeviceLog.BURST; i++) {
      add("\u20ac".repeat(1_500) + "\ud83d\ude00".repeat(1_000) + "x" + i);
      log.add(Severity.ERROR, "plant/press", "\"\\".repeat(500) + "\ud83d x" + i);
    }
    int most = 3 * LogPage.MAX_CHARACTERS + 1_000;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LogPage page = log.page(new LogQuery("", "", LogPage.MAX_CHARACTERS));
    new Frames(InputStream.nullInputStream(), bytes, most).write(page);
    assertThat(bytes.size()).isGreaterThan(LogPage.MAX_CHARACTERS);
    LogPage read =
        new Frames(new ByteArrayInputStream(bytes.toByteArray()), bytes, most).read(LogPage.class);
    assertThat(read).isEqualTo(page);
  }
}
