package io.sedge.sql.internal.user;

import io.sedge.engine.type.Type;
import java.util.List;

/** A function that a user has written. */
public sealed interface UserFunction permits UserScalar, UserAggregate {
  /** As the script calls it. */
  String name();

  /**
   * The type of its result for arguments of those types.
   *
   * @throws UserFunctionException if it takes none such
   */
  Type resultType(List<Type> arguments);
}
