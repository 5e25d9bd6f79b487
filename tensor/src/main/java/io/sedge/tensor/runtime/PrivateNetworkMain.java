package io.sedge.tensor.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The first program of a {@link PrivateNetwork}: puts up the loopback interface, which is down in a
 * new namespace, and becomes the program that was asked for. Uses the C library rather than the
 * program {@code ip}, which small systems lack.
 */
final class PrivateNetworkMain {
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final long SIOCGIFFLAGS = 0x8913;
  private static final long SIOCSIFFLAGS = 0x8914;
  private static final short IFF_UP = 1;

  /** {@code struct ifreq}: 16 bytes of name, then a union, whose first two bytes are the flags. */
  private static final int IFREQ_BYTES = 40;

  private static final int IFREQ_FLAGS = 16;

  private PrivateNetworkMain() {}

  /** Takes the name of the class to run and its arguments. */
  public static void main(String[] arguments) throws Throwable {
    if (arguments.length == 0) {
      throw new IllegalArgumentException("The name of the class to run is missing");
    }
    raiseLoopback();
    String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
    try {
      Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) rest);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Calls of the C library, whose declarations are those of Linux on every architecture. */
  @SuppressWarnings("restricted")
  private static void raiseLoopback() throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle socket =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("socket"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT));
    MethodHandle ioctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("ioctl"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS),
            Linker.Option.firstVariadicArg(2));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(IFREQ_BYTES);
      request.setString(0, "lo", StandardCharsets.US_ASCII);
      int descriptor = (int) socket.invokeExact(AF_INET, SOCK_DGRAM, 0);
      check((int) ioctl.invokeExact(descriptor, SIOCGIFFLAGS, request), "read");
      short flags = request.get(ValueLayout.JAVA_SHORT, IFREQ_FLAGS);
      request.set(ValueLayout.JAVA_SHORT, IFREQ_FLAGS, (short) (flags | IFF_UP));
      check((int) ioctl.invokeExact(descriptor, SIOCSIFFLAGS, request), "set");
    }
  }

  private static void check(int result, String what) {
    if (result != 0) {
      throw new IllegalStateException(
          "The flags of the loopback interface cannot be " + what + " in the new network");
    }
  }
}
