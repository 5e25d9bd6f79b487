package io.sedge.cli.internal;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as the virtual machine's options have them: a number and k, m or g, powers of 1024. */
final class MemoryConverter implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kmg])b?");

  @Override
  public Long convert(String value) {
    Matcher matcher = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException("write a size as a number and a unit: 256m, 1g");
    }
    int shift =
        switch (matcher.group(2)) {
          case "k" -> 10;
          case "m" -> 20;
          default -> 30;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }

  /** What converts to a size; of one that is no multiple of 1024 the bytes. */
  static String text(long bytes) {
    int zeros = bytes == 0 ? 0 : Long.numberOfTrailingZeros(bytes);
    if (zeros >= 30) {
      return (bytes >> 30) + "g";
    }
    return zeros >= 20 ? (bytes >> 20) + "m" : zeros >= 10 ? (bytes >> 10) + "k" : bytes + " bytes";
  }
}
