package io.sedge.engine.column;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class DictionaryTest {
  private static int encodeUtf8(Dictionary dictionary, String string) {
    byte[] bytes = ("<" + string + ">").getBytes(UTF_8);
    return dictionary.encodeUtf8(bytes, 1, bytes.length - 1);
  }

  // An operator groups by code, so one string must have one code, whichever way it came in.
  @Test
  void aStringHasOneCodeWhetherItComesAsStringOrAsBytes() {
    long seed = System.nanoTime();
    System.out.println("DictionaryTest seed " + seed);
    Random random = new Random(seed);
    Dictionary dictionary = new Dictionary();
    for (int i = 0; i < 20_000; i++) {
      String string = randomString(random);
      int code = random.nextBoolean() ? dictionary.encode(string) : encodeUtf8(dictionary, string);
      assertThat(dictionary.get(code)).isEqualTo(string);
      assertThat(dictionary.encode(string)).isEqualTo(code);
      assertThat(encodeUtf8(dictionary, string)).isEqualTo(code);
    }
  }

  @Test
  void bytesAloneGiveDenseCodes() {
    Dictionary dictionary = new Dictionary();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 5_000; i++) {
        assertThat(encodeUtf8(dictionary, "sensor-" + i)).isEqualTo(i);
      }
    }
    assertThat(dictionary.size()).isEqualTo(5_000);
    assertThat(dictionary.encode("sensor-4999")).isEqualTo(4_999);
    assertThat(encodeUtf8(dictionary, "")).isEqualTo(5_000);
  }

  // RFC 3629: overlong forms, lone surrogates and cut sequences are not UTF-8.
  @Test
  void bytesThatAreNotUtf8HaveNoCode() {
    Dictionary dictionary = new Dictionary();
    byte[][] malformed = {
      {(byte) 0xC0, (byte) 0x80},
      {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
      {(byte) 0xE2, (byte) 0x82},
      {'a', (byte) 0xFF},
      {(byte) 0x80}
    };
    for (byte[] bytes : malformed) {
      assertThat(dictionary.encodeUtf8(bytes, 0, bytes.length)).isEqualTo(-1);
    }
    assertThat(dictionary.size()).isZero();
  }

  @Test
  void fewLongStringsFillADictionaryToo() {
    Dictionary dictionary = new Dictionary();
    for (int i = 0; i < 5; i++) {
      assertThat(dictionary.isFull()).isFalse();
      dictionary.encode(i + "x".repeat(Dictionary.FULL_CHARACTERS / 5));
    }
    assertThat(dictionary.isFull()).isTrue();
  }

  private static String randomString(Random random) {
    StringBuilder string = new StringBuilder();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(12)) {
        case 0 -> string.append('é');
        case 1 -> string.append('温');
        case 2 -> string.appendCodePoint(0x1F321);
        default -> string.append((char) ('a' + random.nextInt(3)));
      }
    }
    return string.toString();
  }
}
