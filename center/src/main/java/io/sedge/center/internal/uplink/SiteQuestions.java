package io.sedge.center.internal.uplink;

import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * What people want to know of sites at once. A question waits for its site's next request, and
 * whoever asked waits for the answer; nothing is stored. Any thread.
 */
public final class SiteQuestions {
  /** Of all sites: answers are in memory. */
  private static final int MAX_OPEN = 16;

  /** Of one site: one that is slow leaves room for others. */
  private static final int MAX_OF_SITE = 4;

  private final Map<UUID, Open> open = new LinkedHashMap<>();

  /** Sites whose version answers no questions, as their last request said. */
  private final Set<String> deaf = new HashSet<>();

  private Consumer<String> asked = _ -> {};

  private static final class Open {
    final String site;
    final Question question;
    final CompletableFuture<QuestionAnswer> answer = new CompletableFuture<>();
    boolean taken;

    Open(String site, Question question) {
      this.site = site;
      this.question = question;
    }
  }

  /** Why there is no answer. */
  public enum Silence {
    /** Too many wait. */
    BUSY,
    /** The site's version answers no questions. */
    DEAF,
    /** The site has not asked for the question in time. */
    AWAY,
    /** The site has the question, and has not answered in time. */
    SLOW
  }

  /**
   * What came of a question.
   *
   * @param answer empty if there is none
   * @param silence why there is none; empty if there is one
   */
  public record Outcome(Optional<QuestionAnswer> answer, Optional<Silence> silence) {}

  /** Who is told of sites that are asked something. */
  synchronized void whenAsked(Consumer<String> told) {
    asked = told;
  }

  /** Asks, and waits for the answer. */
  public Outcome ask(String site, Question question, Duration patience)
      throws InterruptedException {
    Open asking = new Open(site, question);
    Consumer<String> told;
    synchronized (this) {
      if (deaf.contains(site)) {
        return silent(Silence.DEAF);
      }
      long ofSite = open.values().stream().filter(other -> other.site.equals(site)).count();
      if (open.size() >= MAX_OPEN || ofSite >= MAX_OF_SITE) {
        return silent(Silence.BUSY);
      }
      open.put(question.id(), asking);
      told = asked;
    }
    try {
      told.accept(site);
      return new Outcome(
          Optional.of(asking.answer.get(patience.toMillis(), TimeUnit.MILLISECONDS)),
          Optional.empty());
    } catch (TimeoutException _) {
      return silent(silence(asking));
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody fails an answer", e);
    } finally {
      forget(question.id());
    }
  }

  private static Outcome silent(Silence why) {
    return new Outcome(Optional.empty(), Optional.of(why));
  }

  private synchronized Silence silence(Open asking) {
    if (asking.taken) {
      return Silence.SLOW;
    }
    return deaf.contains(asking.site) ? Silence.DEAF : Silence.AWAY;
  }

  private synchronized void forget(UUID id) {
    open.remove(id);
  }

  /** Those of a site that it has not been given yet, if it wants any. */
  synchronized List<Question> take(String site, OrderPoll.Wants wants) {
    if (wants != OrderPoll.Wants.ORDERS_AND_QUESTIONS) {
      deaf.add(site);
      return List.of();
    }
    deaf.remove(site);
    List<Question> taken = new ArrayList<>();
    Iterator<Open> all = open.values().iterator();
    while (all.hasNext() && taken.size() < OrderAnswer.MAX_QUESTIONS) {
      Open one = all.next();
      if (!one.taken && one.site.equals(site)) {
        one.taken = true;
        taken.add(one.question);
      }
    }
    return taken;
  }

  /** What a site says; passed over if nobody waits for it, or another site was asked. */
  synchronized void answer(String site, UUID id, QuestionAnswer answer) {
    Open asking = open.get(id);
    if (asking != null && asking.taken && asking.site.equals(site)) {
      asking.answer.complete(answer);
    }
  }
}
