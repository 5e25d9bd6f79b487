package io.sedge.cli.internal.output;

/** Terminal attributes, or nothing where colours are not wanted. */
public enum Style {
  BOLD("1"),
  DIM("2"),
  RED("31"),
  YELLOW("33"),
  GREEN("32");

  private static final String ESCAPE = "\u001b[";

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** The text in this style. */
  public String on(boolean colours, String text) {
    return colours ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
  }
}
