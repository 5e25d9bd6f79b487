package io.sedge.cli.internal;

import io.sedge.cli.internal.output.LiveTable;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;

/**
 * Calls of the C library that Java has no name for. Where they are not there (not a POSIX system)
 * the size is that of the classic terminal, a second Ctrl-C does nothing, and nobody is told.
 */
public final class Posix {
  private static final LiveTable.Size CLASSIC = new LiveTable.Size(80, 24);
  private static final int STANDARD_OUTPUT = 1;
  private static final int SIGINT = 2;
  private static final long TIOCGWINSZ_LINUX = 0x5413;
  private static final long TIOCGWINSZ_BSD = 0x40087468;
  private static final short AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** More than a struct timex has anywhere. */
  private static final long TIMEX_BYTES = 512;

  private static final int TIME_ERROR = 5;

  /** Of the path in a socket's address, on Linux. */
  private static final int PATH_BYTES = 108;

  private Posix() {}

  /** The size of the terminal that standard output is. */
  public static LiveTable.Size screen() {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle ioctl =
          handle(
              "ioctl",
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(2));
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      boolean linux = System.getProperty("os.name").startsWith("Linux");
      int result =
          (int) ioctl.invokeExact(STANDARD_OUTPUT, linux ? TIOCGWINSZ_LINUX : TIOCGWINSZ_BSD, size);
      int rows = size.getAtIndex(ValueLayout.JAVA_SHORT, 0) & 0xffff;
      int columns = size.getAtIndex(ValueLayout.JAVA_SHORT, 1) & 0xffff;
      return result != 0 || rows == 0 || columns == 0 ? CLASSIC : new LiveTable.Size(columns, rows);
    } catch (Throwable e) {
      // Declared by invokeExact; and a system without the call has no size to tell.
      return CLASSIC;
    }
  }

  /**
   * Whether a time server keeps the clock, as the kernel was told (adjtimex(2)); empty where it
   * does not say. Linux alone.
   */
  static Optional<Boolean> clockIsKept() {
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle adjtimex =
          handle("adjtimex", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
      // All zero asks, and changes nothing.
      int state = (int) adjtimex.invokeExact(arena.allocate(TIMEX_BYTES, Long.BYTES));
      return state < 0 ? Optional.empty() : Optional.of(state != TIME_ERROR);
    } catch (Throwable e) {
      // Declared by invokeExact; and a system without the call does not say.
      return Optional.empty();
    }
  }

  /** Gives SIGINT back to the system: the next Ctrl-C ends the process at once. */
  public static void defaultInterrupt() {
    try {
      MethodHandle signal =
          handle(
              "signal",
              FunctionDescriptor.of(
                  ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
      MemorySegment unusedBefore = (MemorySegment) signal.invokeExact(SIGINT, MemorySegment.NULL);
      if (unusedBefore.address() == -1) {
        throw new IllegalStateException("SIGINT cannot be set");
      }
    } catch (Throwable e) {
      // Without it a second Ctrl-C waits for the end that the first one asked for; that is bounded.
      return;
    }
  }

  /**
   * Sends a datagram to a socket of the file system; Java knows such sockets as streams only. Linux
   * alone.
   *
   * @param path one that begins with {@code @} is of the abstract name space
   * @return whether it was taken
   */
  static boolean sendDatagram(String path, String text) {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length >= PATH_BYTES) {
      return false;
    }
    if (name[0] == '@') {
      name[0] = 0;
    }
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle socket = handle("socket", ofInts(3));
      MethodHandle close = handle("close", ofInts(1));
      MethodHandle sendto =
          handle(
              "sendto",
              FunctionDescriptor.of(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT,
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_INT));
      MemorySegment address = arena.allocate(Short.BYTES + PATH_BYTES, Short.BYTES);
      address.set(ValueLayout.JAVA_SHORT, 0, AF_UNIX);
      MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, name.length);
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      MemorySegment message = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
      int descriptor = (int) socket.invokeExact((int) AF_UNIX, SOCK_DGRAM, 0);
      long sent =
          (long)
              sendto.invokeExact(
                  descriptor,
                  message,
                  (long) bytes.length,
                  MSG_NOSIGNAL,
                  address,
                  Short.BYTES + name.length);
      int closed = (int) close.invokeExact(descriptor);
      return sent == bytes.length && closed == 0;
    } catch (Throwable e) {
      // Declared by invokeExact; and a system without the calls has nobody to tell.
      return false;
    }
  }

  private static FunctionDescriptor ofInts(int count) {
    return FunctionDescriptor.of(
        ValueLayout.JAVA_INT,
        Collections.nCopies(count, ValueLayout.JAVA_INT).toArray(ValueLayout[]::new));
  }

  @SuppressWarnings("restricted") // The launcher enables native access.
  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
  }
}
