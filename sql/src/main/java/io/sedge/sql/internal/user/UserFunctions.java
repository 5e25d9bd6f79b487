package io.sedge.sql.internal.user;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Loads users' functions. A class with public methods {@code eval} is a scalar function, one with
 * {@code createAccumulator}, {@code accumulate}, {@code getValue} and {@code merge} an aggregate.
 * It may extend Flink's ScalarFunction or AggregateFunction, if the jars that define those are
 * among those named; it need not.
 */
public final class UserFunctions {
  private UserFunctions() {}

  /**
   * Makes a function of a class.
   *
   * @param name as the script calls it
   * @param className of the class, which has a public constructor without parameters
   * @param jars where it and what it needs is, by what messages call them; may be empty, if it is
   *     on the class path
   * @throws UserFunctionException if it is none
   */
  public static UserFunction load(String name, String className, Map<String, Path> jars) {
    Class<?> type = find(name, className, jars);
    Object instance = instantiate(name, type);
    boolean scalar = hasMethod(type, "eval");
    boolean aggregate = hasMethod(type, "accumulate");
    if (scalar == aggregate) {
      throw new UserFunctionException(
          "function %s: class %s has %s public method `eval` (scalar) %s `accumulate` (aggregate)"
              .formatted(name, className, scalar ? "a" : "no", scalar ? "and" : "and no"));
    }
    return scalar ? new UserScalar(name, instance) : new UserAggregate(name, instance);
  }

  /**
   * What jars are by what they hold.
   *
   * @throws UserFunctionException if one cannot be read
   */
  public static List<String> identity(Map<String, Path> jars) {
    return jars.entrySet().stream().map(jar -> sha256(jar.getKey(), jar.getValue())).toList();
  }

  private static String sha256(String name, Path jar) {
    try (InputStream input = Files.newInputStream(jar)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(input, digest).transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UserFunctionException("%s cannot be read: %s".formatted(name, e));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static boolean hasMethod(Class<?> type, String method) {
    return !methods(type, method).isEmpty();
  }

  /** The public methods of a name, in a stable order. */
  static List<Method> methods(Class<?> type, String name) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getName().equals(name) && !method.isBridge())
        .filter(method -> !Modifier.isAbstract(method.getModifiers()))
        .sorted((a, b) -> a.toString().compareTo(b.toString()))
        .toList();
  }

  /** The loader stays open for as long as the job may call the function. */
  @SuppressWarnings("resource")
  private static Class<?> find(String name, String className, Map<String, Path> jars) {
    List<URL> urls = new ArrayList<>();
    for (Map.Entry<String, Path> jar : jars.entrySet()) {
      if (!Files.isRegularFile(jar.getValue())) {
        throw new UserFunctionException(
            "function %s: there is no file %s".formatted(name, jar.getKey()));
      }
      try {
        urls.add(jar.getValue().toUri().toURL());
      } catch (MalformedURLException e) {
        throw new UserFunctionException("function %s: %s is no path".formatted(name, jar.getKey()));
      }
    }
    ClassLoader parent = UserFunctions.class.getClassLoader();
    ClassLoader loader =
        urls.isEmpty() ? parent : new URLClassLoader(urls.toArray(URL[]::new), parent);
    try {
      return Class.forName(className, true, loader);
    } catch (ClassNotFoundException e) {
      throw new UserFunctionException(
          "function %s: there is no class %s in %s"
              .formatted(
                  name,
                  className,
                  jars.isEmpty() ? "the class path" : String.join(", ", jars.keySet())));
    } catch (LinkageError e) {
      throw new UserFunctionException(
          "function %s: class %s needs %s, which is in none of the jars"
              .formatted(name, className, String.valueOf(e.getMessage()).replace('/', '.')));
    }
  }

  private static Object instantiate(String name, Class<?> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (NoSuchMethodException e) {
      throw new UserFunctionException(
          "function %s: class %s has no public constructor without parameters"
              .formatted(name, type.getName()));
    } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
      throw new UserFunctionException(
          "function %s: class %s cannot be instantiated: %s"
              .formatted(name, type.getName(), e.getCause() == null ? e : e.getCause()));
    }
  }
}
