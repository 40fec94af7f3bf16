// The part of a JavaScript client that draws: exact, an ES module without dependencies.
//
// `ppdm client` copies this text into the file that it writes, behind the constants LAW and CASES.
// A random number u in [0, 1) is known by its first bits: word <= 2^bits u < word + 1. What a
// distribution makes of the least and of the greatest such u is compared, and further bits are
// drawn only while the two differ. A distribution is a function (word, bits) -> [first, last], so
// that one whose probabilities are irrational fits in: it refines its enclosures as bits grow.

const WIDTH = 64;

export class OutsideDomain extends Error {
  name = "OutsideDomain";
}

export class NotAReport extends Error {
  name = "NotAReport";
}

// Called otherwise than it can be.
class Misused extends TypeError {
  name = "TypeError";
}

// The randomized value. Nothing else is taken, so that values.map(randomize) does what it says.
export function randomize(value) {
  return unquoted(() => drawn(value, secureBits, WIDTH, null));
}

// The same where clients are in groups, this one's by a hash of its identifier, not by a coin.
// null where the client takes part in the other phase of the plan, and sends nothing now.
export function randomizeFor(identifier, value) {
  if (arguments.length !== 2) {
    throw new Misused("randomizeFor takes an identifier and a value, and nothing else");
  }
  return unquoted(() => drawn(value, secureBits, WIDTH, String(identifier)));
}

// What is sent of a report, as JSON has it: of bits their text in base64url, of a hash two numbers,
// of a set its members, else the value.
export function encoded(report) {
  const kind = LAW.report?.kind ?? "value";
  if (kind === "value") return spelled(report);
  if (kind !== "bits") return [...report];
  const packed = new Uint8Array(Math.ceil(LAW.report.bits / 8));
  for (const item of report) packed[item >> 3] |= 1 << (item & 7);
  let text = "";
  for (let place = 0; place < packed.length; place += 3) {
    const [a, b = 0, c = 0] = packed.subarray(place, place + 3);
    const four = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63];
    const bytes = Math.min(3, packed.length - place);
    text += four.slice(0, bytes + 1).map((six) => BASE64URL[six]).join("");
  }
  return text;
}

// The report that was sent; NotAReport where it is none of this operator's.
export function decoded(sent) {
  const told = LAW.report ?? { kind: "value" };
  const found = READERS[told.kind](told, sent);
  if (found === null) throw new NotAReport("not a report of this operator");
  return found;
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const READERS = {
  bits(told, sent) {
    const width = Math.ceil(told.bits / 8);
    if (typeof sent !== "string" || sent.length !== Math.ceil((8 * width) / 6)) return null;
    const items = [];
    for (let place = 0; place < sent.length; place += 1) {
      const six = BASE64URL.indexOf(sent[place]);
      if (six < 0) return null;
      for (let bit = 0; bit < 6; bit += 1) {
        if (!((six >> (5 - bit)) & 1)) continue;
        const at = 6 * place + bit;  // in the order of the text, the highest bit of a byte first
        const item = (at & ~7) + (7 - (at & 7));
        if (at >= 8 * width || item >= told.bits) return null;
        items.push(item);
      }
    }
    return items.length < told.least || items.length > told.most ? null : items.sort(rising);
  },

  set(told, sent) {
    const whole = integers(sent, told.chosen) && new Set(sent).size === told.chosen;
    return whole && sent.every((item) => item < told.items) ? [...sent].sort(rising) : null;
  },

  hashed(told, sent) {
    if (!integers(sent, 2)) return null;
    const [number, bucket] = sent;
    const known = number < told.prime * (told.prime - 1) && bucket < told.buckets;
    return known ? [number, bucket] : null;
  },

  value(told, sent) {
    const domain = told.outputs ?? LAW.outputs ?? LAW.inputs;
    try {
      const found = native(sent);
      return domain === undefined ? found : member(domain, indexOf(domain, found));
    } catch {
      return null;
    }
  },
};

const rising = (a, b) => a - b;

function integers(sent, many) {
  return Array.isArray(sent) && sent.length === many &&
    sent.every((number) => Number.isSafeInteger(number) && number >= 0);
}

// For tests: take gives a BigInt of so many random bits, width says how many are taken at once.
export function drawn(value, take, width, identifier = null) {
  if (typeof take !== "function" || !(Number.isInteger(width) && width > 0)) {
    throw new Misused("drawn takes a value, a function that gives bits, and how many at once");
  }
  const draw = (where) => drawFrom(where, take, width);
  return KINDS[LAW.kind](LAW, value, draw, identifier);
}

// No error that leaves a client quotes what it was given: not even one that a value's own
// methods throw.
function unquoted(work) {
  let kind = "error";
  try {
    return work();
  } catch (problem) {
    if (problem instanceof OutsideDomain || problem instanceof Misused) throw problem;
    for (const one of [SyntaxError, RangeError, TypeError]) {
      if (problem instanceof one) kind = one.name;
    }
  }
  throw new Error(`not randomized (${kind}); the error itself could quote the value`);
}

let pool = new Uint8Array(0);
let used = 0;

const webCrypto = globalThis.crypto ?? (await import("node:crypto")).webcrypto;

function secureBits(bits) {
  let word = 0n;
  for (let left = bits; left > 0; left -= 8) {
    if (used === pool.length) {
      pool = webCrypto.getRandomValues(new Uint8Array(4096));
      used = 0;
    }
    word = (word << 8n) | BigInt(pool[used]);
    pool[used] = 0;
    used += 1;
  }
  return word;
}

function drawFrom(where, take, width) {
  let word = 0n;
  let bits = 0n;
  for (;;) {
    word = (word << BigInt(width)) | take(width);
    bits += BigInt(width);
    const [first, last] = where(word, bits);
    if (first === last) return first;
  }
}

// The distribution of a uniform integer 0 <= t < total, or of what position makes of t.
function below(total, position = (t) => t) {
  return (word, bits) => [
    position((word * total) >> bits),
    position(((word + 1n) * total - 1n) >> bits),
  ];
}

// The distribution of a coin, true with the probability [numerator, denominator].
function coinOf(odds) {
  if (!Array.isArray(odds)) {  // the weights of true and false, with exponentials
    const where = listed(odds);
    return (word, bits) => where(word, bits).map((side) => side === 0);
  }
  const [top, total] = odds.map(BigInt);
  return below(total, (t) => t < top);
}

// The distribution on 0, 1, ... whose weights are given as runs [how many, weight each].
function inRuns(runs) {
  const parts = [];
  let total = 0n;
  let number = 0n;
  for (const [count, weight] of runs) {
    parts.push({ number, before: total, weight, end: total + count * weight });
    total += count * weight;
    number += count;
  }
  return below(total, (t) => {
    let low = 0;
    let high = parts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (parts[middle].end <= t) low = middle + 1;
      else high = middle;
    }
    const { number: start, before, weight } = parts[low];
    return Number(start + (t - before) / weight);
  });
}

// The same for weights that are polynomials in t = e^step: enclosures grow with the bits.
function inExpRuns(runs, step) {
  const many = Math.max(...runs.map(([, weight]) => weight.length));
  return (word, bits) => {
    const powers = expPowers(step, many, 2n * bits + 64n);
    const bounds = runs.map(([, weight]) => enclosed(weight, powers));
    let lowTotal = 0n;
    let highTotal = 0n;
    runs.forEach(([count], i) => {
      lowTotal += count * bounds[i][0];
      highTotal += count * bounds[i][1];
    });
    // Where u times the total lies: between these, in units of 2^-scale.
    const under = (word * lowTotal) >> bits;
    const over = (((word + 1n) * highTotal) >> bits) + 1n;
    let [least, most, number] = [0n, 0n, 0n];
    let first = null;
    let last = 0n;
    const within = (count, inside) => (inside < 0n ? 0n : inside < count ? inside : count - 1n);
    runs.forEach(([count], i) => {
      const [light, heavy] = bounds[i];
      const [low, high, start] = [least, most, number];
      least += count * light;
      most += count * heavy;
      number += count;
      if (count === 0n) return;
      if (first === null && under < most) {
        first = start + (under < high ? 0n : within(count, (under - high) / heavy));
      }
      if (over >= low) {
        last = start + (light === 0n ? count - 1n : within(count, (over - low) / light));
      }
    });
    return [Number(first ?? number - 1n), Number(last)];
  };
}

const up = (number, bits) => -(-number >> bits);

// BigInts around 2^scale t^k for t = e^step, k = 0, 1, ...: the series of e^(step / 2^h).
function expPowers([top, bottom], many, scale) {
  const whole = (top + bottom - 1n) / bottom;
  const halvings = BigInt(whole.toString(2).length);
  const work = scale + 2n * halvings + 2n * BigInt(many) * (1n + top / bottom) + 16n;
  let low = 1n << work;
  let term = low;
  let n = 0n;
  while (term > 0n) {
    n += 1n;
    term = (term * top) / ((n * bottom) << halvings);
    low += term;
  }
  let high = low + 2n * n + 2n;
  for (let i = 0n; i < halvings; i += 1n) {
    low = (low * low) >> work;
    high = up(high * high, work);
  }
  const powers = [];
  let [least, most] = [1n << work, 1n << work];
  for (let k = 0; k < many; k += 1) {
    powers.push([least >> (work - scale), up(most, work - scale)]);
    least = (least * low) >> work;
    most = up(most * high, work);
  }
  return powers;
}

// BigInts around 2^scale times a polynomial's value, which is not negative.
function enclosed(weight, powers) {
  let [low, high] = [0n, 0n];
  weight.forEach((c, k) => {
    low += c * powers[k][c > 0n ? 0 : 1];
    high += c * powers[k][c > 0n ? 1 : 0];
  });
  return [low > 0n ? low : 0n, high];
}

const signed = (text) => (text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text));

// The distribution of runs of weights as they are written.
function weighted(law, runs) {
  if (law.step === undefined) return inRuns(runs.map(([n, w]) => [BigInt(n), BigInt(w)]));
  const polynomials = runs.map(([n, w]) => [BigInt(n), w.map(signed)]);
  return inExpRuns(polynomials, law.step.map(BigInt));
}

// The distribution on 0, 1, ... of weights that are listed, or of those with exponentials.
function listed(written) {
  const weights = Array.isArray(written) ? written : written.weights;
  return weighted(written, weights.map((weight) => [1, weight]));
}

const KINDS = {
  // One row of weights for each input.
  rows(law, value, draw) {
    const row = law.rows[law.row_of[indexOf(law.inputs, value)]];
    return member(law.outputs, draw(weighted(law, row)));
  },

  // One weight for the value itself, another for every other value.
  diagonal(law, value, draw) {
    const index = indexOf(law.inputs, value);
    const size = sizeOf(law.inputs);
    const runs = [[index, law.other], [1, law.keep], [size - index - 1, law.other]];
    return member(law.inputs, draw(weighted(law, runs)));
  },

  // Select-a-size: keep some items of the transaction, insert others.
  sizes(law, value, draw) {
    const items = transaction(law, value);
    const chosen = law.sizes[String(items.length)];
    if (chosen === undefined) throw new OutsideDomain("no transaction of this size is randomized");
    return selected(chosen, items, law.items, draw);
  },

  // [group, size, report]: what a client of its group reports, and the size that it shows.
  groups(law, value, draw, identifier) {
    let items = transaction(law, value);
    const group = law.groups[groupOf(law, draw, identifier)];
    if (!group.active) return null;
    let real = law.items;
    const asked = group.asked;
    if (asked !== undefined && asked.sets !== null) {
      const present = new Set(items);
      const places = asked.sets.map((_, place) => place);
      items = places.filter((place) => asked.sets[place].every((item) => present.has(item)));
      real = asked.sets.length;
    }
    if (asked !== undefined && asked.least !== null) {
      const own = [asked.least.filter((least) => least <= items.length).length - 1];
      return [group.name, 1, selected(group.sizes["1"], own, asked.least.length, draw)];
    }
    if (group.chosen !== null) {
      items = items.map((item) => group.chosen.indexOf(item)).filter((place) => place >= 0);
      real = group.chosen.length;
    }
    if (group.hidden !== null) {
      const longest = Number(Object.keys(group.sizes)[0]);
      if (items.length > longest && group.hidden === "cut") {
        shuffleFirst(items, longest, draw);
        items = items.slice(0, longest).sort((a, b) => a - b);
      }
      for (let dummy = real; items.length < longest; dummy += 1) items.push(dummy);
      real += longest;
    }
    const chosen = group.sizes[String(items.length)];
    if (chosen === undefined) {
      if (items.length < group.silent_below) return [group.name, items.length, []];
      throw new OutsideDomain("no transaction of this size is randomized");
    }
    const held = setNumbers(items, group.lifted).sort((a, b) => a - b);
    const report = selected(chosen, held, choose(real, group.lifted), draw);
    return [group.name, items.length, report];
  },

  // Each item stays, or a new one takes its place.
  replacement(law, value, draw) {
    const items = transaction(law, value);
    if (items.length !== law.size) {
      throw new OutsideDomain("no transaction of this size is randomized");
    }
    const coin = coinOf(law.keep);
    const kept = items.filter(() => draw(coin));
    const present = new Set(items);
    const others = [];
    for (let item = 0; item < law.items; item += 1) if (!present.has(item)) others.push(item);
    const replaced = items.length - kept.length;
    shuffleFirst(others, replaced, draw);
    return kept.concat(others.slice(0, replaced)).sort((a, b) => a - b);
  },

  // A hash function's number, and a bucket: that of the value if a coin says so, or another.
  hashed(law, value, draw) {
    const place = indexOf(law.inputs, value);
    const { prime, buckets } = law;
    const uniform = (total) => (total > 1 ? Number(draw(below(BigInt(total)))) : 0);
    const a = uniform(prime - 1);
    const b = uniform(prime);
    const own = (((a + 1) * place + b) % prime) % buckets;
    const kept = draw(coinOf(law.keep));
    const other = uniform(buckets - 1);
    return [a * prime + b, kept ? own : other + (other >= own ? 1 : 0)];
  },

  // A value as a transaction of one item.
  single(law, value, draw) {
    return KINDS[law.law.kind](law.law, [indexOf(law.inputs, value)], draw);
  },

  // A set of so many items, which holds the one of the transaction or not.
  chosen(law, value, draw) {
    const [own] = transaction(law, value);
    const held = draw(coinOf(law.holding));
    const others = [];
    for (let item = 0; item < law.items; item += 1) if (item !== own) others.push(item);
    const count = held ? law.chosen - 1 : law.chosen;
    shuffleFirst(others, count, draw);
    return others.slice(0, count).concat(held ? [own] : []).sort((a, b) => a - b);
  },

  // Any column; where its sign is not what a coin says, one bit of the row's number changes it.
  hadamard(law, value, draw) {
    const number = indexOf(law.inputs, value) + 1;
    const even = draw(coinOf(law.even));
    const column = Number(draw(below(1n << BigInt(law.order))));
    const shared = (number & column).toString(2).replaceAll("0", "").length;
    return (shared % 2 === 0) === even ? column : column ^ (number & -number);
  },

  // No noise, or a side and one step, and another one while a coin says so, up to the end.
  geometric(law, value, draw) {
    let place = indexOf(law.inputs, value);
    const last = sizeOf(law.inputs) - 1;
    if (draw(coinOf(law.still))) return member(law.inputs, place);
    const [step, end] = draw(below(2n)) === 0n ? [-1, 0] : [1, last];
    const coin = coinOf(law.ratio);
    while (place !== end) {
      place += step;
      if (place === end || !draw(coin)) break;
    }
    return member(law.inputs, place);
  },

  // A number rounded to a sign at random, which is told truly or not.
  sign(law, value, draw) {
    const place = indexOf(law.inputs, value);
    const last = sizeOf(law.inputs) - 1;
    const up = draw(below(BigInt(last))) < BigInt(place);
    return up === draw(coinOf(law.true)) ? 1 : -1;
  },

  // Weights by distance, the last for all that are farther.
  distance(law, value, draw) {
    const place = indexOf(law.inputs, value);
    const last = sizeOf(law.inputs) - 1;
    const { weights } = law;
    const reach = weights.length - 1;
    const runs = [[Math.max(0, place - reach), weights[reach]]];
    for (let d = Math.min(place, reach); d > 0; d -= 1) runs.push([1, weights[d]]);
    runs.push([1, weights[0]]);
    for (let d = 1; d <= Math.min(last - place, reach); d += 1) runs.push([1, weights[d]]);
    runs.push([Math.max(0, last - place - reach), weights[reach]]);
    return member(law.inputs, draw(weighted(law, runs)));
  },

  // Weights that fall by one factor a step: a side, and a distance by its bits, until it fits.
  decay(law, value, draw) {
    const place = indexOf(law.inputs, value);
    const last = sizeOf(law.inputs) - 1;
    const low = law.low.map(coinOf);
    const high = law.high === null ? null : coinOf(law.high);
    for (;;) {
      const side = draw(below(2n)) === 1n ? 1 : -1;
      let distance = 0;
      low.forEach((coin, bit) => { if (draw(coin)) distance += 2 ** bit; });
      while (high !== null && distance <= last && draw(high)) distance += 2 ** low.length;
      const found = place + side * distance;
      if (found >= 0 && found <= last && (distance > 0 || side > 0)) return member(law.inputs, found);
    }
  },

  // A number rounded to a grid, plus noise: how many borders between outputs lie below u.
  // The border after output j lies at `first + j` steps (and a half) from the number; a truncated
  // window begins and ends at its first and its last output, and u is uniform between these.
  noise(law, value, draw) {
    const first = law.shift - nearest(law.grid, value);
    const last = sizeOf(law.outputs) - 1;
    const ends = law.truncated ? [2 * first, 2 * (first + last)] : null;
    const where = "below" in law ? betweenBorders : betweenExpBorders;
    return member(law.outputs, draw(where(law, first, last, ends)));
  },
};

// For a distribution that is listed, in integers over `whole`, every `stride` half steps.
function betweenBorders(law, first, last, ends) {
  const at = (halves) => BigInt(law.below[(halves - law.start) / law.stride]);
  const [least, most] = ends === null ? [0n, BigInt(law.whole)] : ends.map(at);
  const passed = (j, t) => at(2 * (first + j) + 1) <= least + t;
  return below(most - least, (t) => howMany(last, (j) => passed(j, t)));
}

// For the Laplace law: enclosures grow with the bits.
function betweenExpBorders(law, first, last, ends) {
  const exponent = law.exponent.map(BigInt);
  return (word, bits) => {
    const scale = 2n * bits + 64n;
    const at = (halves) => laplace(exponent, halves, scale);
    const whole = 1n << scale;
    const [low, high] = ends === null ? [[0n, 0n], [whole, whole]] : ends.map(at);
    const room = high[0] > low[1] ? high[0] - low[1] : 0n;
    const least = low[0] + ((word * room) >> bits);
    const most = low[1] + (((word + 1n) * (high[1] - low[0])) >> bits) + 1n;
    return [
      howMany(last, (j) => at(2 * (first + j) + 1)[1] <= least),
      howMany(last, (j) => at(2 * (first + j) + 1)[0] <= most),
    ];
  };
}

// BigInts around 2^scale F, so many half steps above 0: e^(-|halves| exponent)/2.
function laplace([top, bottom], halves, scale) {
  const [low, high] = expPowers([BigInt(Math.abs(halves)) * top, bottom], 2, scale)[1];
  const whole = 1n << (2n * scale);
  const least = whole / (2n * high);
  const most = (whole + 2n * low - 1n) / (2n * low);
  return halves < 0 ? [least, most] : [(1n << scale) - most, (1n << scale) - least];
}

// How many of 0, 1, ..., last - 1 have passed, the first ones.
function howMany(last, passed) {
  let [low, high] = [0, last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (passed(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The place on a grid that a number is rounded to, ties upward.
function nearest(grid, value) {
  const number = fraction(value);
  const [up, down] = grid.step.map(BigInt);
  if (number !== null) {
    const [top, bottom] = [number[0] * down, number[1] * up]; // in steps
    if (BigInt(grid.first) * bottom <= top && top <= BigInt(grid.last) * bottom) {
      const [twice, whole] = [2n * top + bottom, 2n * bottom];
      const rest = ((twice % whole) + whole) % whole;
      return Number((twice - rest) / whole) - grid.first;
    }
  }
  throw new OutsideDomain("the value is not in the domain");
}

// The number that a value is or spells, as [numerator, denominator]; null where it is none.
function fraction(value) {
  if (!["number", "bigint", "string"].includes(typeof value)) return null;
  const form = /^(-?)([0-9]{1,40})(?:(?:\.([0-9]{1,400}))?(?:e([+-]?[0-9]{1,3}))?|\/([1-9][0-9]{0,40}))$/;
  const found = form.exec(String(value));
  if (found === null) return null;
  const [, sign, whole, digits = "", power = "0", under = "1"] = found;
  let top = BigInt(whole + digits) * (sign === "-" ? -1n : 1n);
  let bottom = BigInt(under) * 10n ** BigInt(digits.length);
  if (Number(power) > 0) top *= 10n ** BigInt(Number(power));
  else bottom *= 10n ** BigInt(-Number(power));
  return [top, bottom];
}

// Some of the numbers that are held stay, and others below universe come in: each by a coin
// (select-a-size), or so many as make `chosen` (fixed-size).
function selected(chosen, held, universe, draw) {
  const kept = draw(listed(chosen.keep));
  const present = new Set(held);
  shuffleFirst(held, kept, draw);
  if (chosen.generator !== undefined) return seedOf(chosen.generator, held, kept, draw);
  const found = held.slice(0, kept);
  const others = Array.from({ length: universe }, (_, number) => number)
    .filter((number) => !present.has(number));
  if (chosen.chosen !== undefined) {
    shuffleFirst(others, chosen.chosen - kept, draw);
    found.push(...others.slice(0, chosen.chosen - kept));
  } else {
    const coin = coinOf(chosen.insert);
    found.push(...others.filter(() => draw(coin)));
  }
  return found.sort((a, b) => a - b);
}

// Uniform among the seeds that hold the first `kept` items and none of the others, in hexadecimal.
// The items' values are drawn, and a seed, which is then moved to one that gives these values:
// in an equation without the pivots of those before, flipping its own pivot mends it alone.
function seedOf(generator, items, kept, draw) {
  const limit = BigInt(generator.numerator);
  const rest = (1n << BigInt(generator.bits)) - limit;
  const values = items.map((_, place) => (
    place < kept ? uniform(limit, draw) : limit + uniform(rest, draw)
  ));
  let seed = uniform(1n << BigInt(generator.seed_bits), draw);
  const solved = [];
  items.forEach((item, place) => {
    functionals(generator, BigInt(item)).forEach((functional, bit) => {
      let row = functional;
      let wanted = (values[place] >> BigInt(bit)) & 1n;
      for (const other of solved) {
        if (row & other.pivot) {
          row ^= other.row;
          wanted ^= other.wanted;
        }
      }
      solved.push({ pivot: row & -row, row, wanted });
    });
  });
  for (const { pivot, row, wanted } of solved.reverse()) {
    const ones = (row & seed).toString(2).replaceAll("0", "").length;
    if (BigInt(ones % 2) !== wanted) seed ^= pivot;
  }
  let text = "";
  for (let byte = 0; byte < Math.ceil(generator.seed_bits / 8); byte += 1) {
    text += (seed & 255n).toString(16).padStart(2, "0");
    seed >>= 8n;
  }
  return text;
}

function uniform(total, draw) {
  return total > 1n ? draw(below(total)) : 0n;
}

// For each bit of an item's value the bits of the seed whose sum it is.
function functionals(generator, item) {
  const degree = BigInt(generator.degree);
  const modulus = BigInt(generator.modulus);
  if (generator.form === "goppa") return [goppa(generator, item, degree, modulus)];
  if (generator.form === "cap") return cap(generator, item, degree, modulus);
  const infinite = generator.infinite !== null && item === BigInt(generator.infinite);
  const rows = [];
  let powers = null;
  for (let bit = 0; bit < generator.bits; bit += 1) {
    const point = BigInt(generator.scale) * item + BigInt(generator.each * bit + generator.first);
    if (degree === 0n) {
      rows.push(1n << point);
      continue;
    }
    if (powers === null || generator.each) {
      powers = powersOf(generator, infinite ? 0n : point, degree, modulus);
    }
    let row = 0n;
    for (const [exponent, start, step, shift, telling] of generator.terms) {
      let value = powers.get(exponent);
      if (infinite) value = exponent === generator.last ? 1n : 0n;
      for (let t = 0; t < shift * bit; t += 1) value = times(value, 2n, degree, modulus);
      if (telling !== null) {
        const whole = value;
        value = telling.reduce(
          (told, source, place) => told | (((whole >> BigInt(source)) & 1n) << BigInt(place)),
          0n,
        );
      }
      row ^= value << BigInt(start + step * bit);
    }
    rows.push(row);
  }
  return rows;
}

// The point to the power of each exponent of the terms; 0^0 = 1.
function powersOf(generator, point, degree, modulus) {
  const found = new Map();
  const exponents = generator.terms.map(([exponent]) => exponent).sort((a, b) => a - b);
  let last = 0;
  let value = 1n;
  for (const exponent of exponents) {
    for (; last < exponent; last += 1) value = times(value, point, degree, modulus);
    found.set(exponent, value);
  }
  return found;
}

// A parity bit for odd q, then x^j / (x^t + x + c); one item beyond the field has no more.
function goppa(generator, point, degree, modulus) {
  let row = BigInt(generator.parity);
  if (point >> degree) return row;
  const raised = power(point, BigInt(generator.errors), degree, modulus);
  const g = raised ^ point ^ BigInt(generator.constant);
  let value = power(g, (1n << degree) - 2n, degree, modulus);
  for (let place = 0; place < generator.errors; place += 1) {
    row ^= value << (BigInt(generator.parity) + BigInt(place) * degree);
    value = times(value, point, degree, modulus);
  }
  return row;
}

// The symbols 1, the digits, and u^2 + u v + D v^2 of pairs of digits, times x^bit.
function cap(generator, item, degree, modulus) {
  const constant = BigInt(generator.constant);
  const digits = [];
  for (let place = 0; place < generator.digits; place += 1) {
    digits.push((item >> (degree * BigInt(place))) & ((1n << degree) - 1n));
  }
  let symbols = [1n, ...digits];
  for (let place = 0; place < digits.length; place += 2) {
    const [u, v] = [digits[place], digits[place + 1] ?? 0n];
    const square = times(constant, times(v, v, degree, modulus), degree, modulus);
    symbols.push(times(u, u ^ v, degree, modulus) ^ square);
  }
  const rows = [];
  for (let bit = 0; bit < generator.bits; bit += 1) {
    rows.push(symbols.reduce((row, symbol, place) => row | (symbol << (degree * BigInt(place))), 0n));
    symbols = symbols.map((symbol) => times(symbol, 2n, degree, modulus));
  }
  return rows;
}

function power(base, exponent, degree, modulus) {
  let [found, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) found = times(found, square, degree, modulus);
    square = times(square, square, degree, modulus);
  }
  return found;
}

// The product in GF(2^degree).
function times(left, right, degree, modulus) {
  let [shifted, rest, found] = [left, right, 0n];
  while (rest > 0n) {
    if (rest & 1n) found ^= shifted;
    shifted <<= 1n;
    rest >>= 1n;
    if (shifted >> degree) shifted ^= modulus;
  }
  return found;
}

// By a coin, or by u = SHA-256(key:identifier) / 2^256: the same in both phases of a plan.
function groupOf(law, draw, identifier) {
  if (identifier === null) {
    if (law.phases) {
      throw new Misused("the plan has two phases: call randomizeFor(identifier, value)");
    }
    return draw(inRuns(law.shares.map((weight) => [1n, BigInt(weight)])));
  }
  const number = sha256(new TextEncoder().encode(`${law.key}:${identifier}`));
  return law.cuts.filter((cut) => BigInt(cut) <= number).length;
}

// C(n, k), exact where it is below 2^53.
function choose(n, k) {
  let found = 1;
  for (let t = 1; t <= k; t += 1) found = (found * (n - t + 1)) / t;
  return n < k ? 0 : found;
}

// The numbers C(c1, 1) + ... + C(ck, k) of all sets of k of these items, which rise.
function setNumbers(items, k, from = 0, place = 1) {
  if (place > k) return [0];
  const found = [];
  for (let start = from; start < items.length; start += 1) {
    const first = choose(items[start], place);
    for (const rest of setNumbers(items, k, start + 1, place + 1)) found.push(first + rest);
  }
  return found;
}

// SHA-256 (FIPS 180-4) as one number. WebCrypto has it only for callers that wait.
function sha256(bytes) {
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (p, degree) => { // the first 32 bits of what a root of p has after the point
    const scaled = BigInt(p) << BigInt(32 * degree);
    let root = 0n;
    for (let bit = 1n << 40n; bit > 0n; bit >>= 1n) {
      if ((root + bit) ** BigInt(degree) <= scaled) root += bit;
    }
    return Number(root & 0xffffffffn);
  };
  const state = primes.slice(0, 8).map((p) => fraction(p, 2));
  const constants = primes.map((p) => fraction(p, 3));
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < padded.length; block += 64) {
    const w = [];
    for (let t = 0; t < 64; t += 1) {
      if (t < 16) {
        w.push(view.getUint32(block + 4 * t));
      } else {
        const [x, y] = [w[t - 15], w[t - 2]];
        const small = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
        const large = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
        w.push((w[t - 16] + small + w[t - 7] + large) >>> 0);
      }
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t += 1) {
      const mixed = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
      const one = (mixed + constants[t] + w[t]) >>> 0;
      const most = (a & b) ^ (a & c) ^ (b & c);
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + most) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, k) => { state[k] = (state[k] + x) >>> 0; });
  }
  return state.reduce((number, x) => (number << 32n) | BigInt(x), 0n);
}

// Put a uniformly chosen ordered subset first.
function shuffleFirst(items, count, draw) {
  for (let start = 0; start < count; start += 1) {
    const other = start + Number(draw(below(BigInt(items.length - start))));
    [items[start], items[other]] = [items[other], items[start]];
  }
}

function transaction(law, value) {
  const several = typeof value === "object" && typeof value?.[Symbol.iterator] === "function";
  const items = several ? [...value] : [];
  const whole = items.every((item) => Number.isInteger(item) && item >= 0 && item < law.items);
  if (!several || !whole || new Set(items).size !== items.length) {
    throw new OutsideDomain(`a transaction holds different items 0 to ${law.items - 1}`);
  }
  return items.sort((a, b) => a - b);
}

function sizeOf(domain) {
  return Array.isArray(domain) ? domain.length : domain.range[1] - domain.range[0] + 1;
}

function member(domain, index) {
  return Array.isArray(domain) ? native(domain[index]) : domain.range[0] + index;
}

function indexOf(domain, value) {
  if (Array.isArray(domain)) {
    const index = domain.findIndex((one) => same(native(one), value));
    if (index >= 0) return index;
  } else if (Number.isInteger(value) && domain.range[0] <= value && value <= domain.range[1]) {
    return value - domain.range[0];
  }
  throw new OutsideDomain("the value is not in the domain");
}

// Equal and of the same kind: 1, true and "1" are three values.
function same(one, value) {
  if (Array.isArray(one)) {
    return Array.isArray(value) && one.length === value.length &&
      one.every((part, place) => same(part, value[place]));
  }
  if (one instanceof Set) {
    return value instanceof Set && one.size === value.size &&
      [...one].every((part) => [...value].some((other) => same(part, other)));
  }
  return one === value;
}

// A value as JSON spells it, as JavaScript has it: tuples are arrays, sets are Sets.
function native(one) {
  if (one === null || typeof one !== "object") return one;
  if ("tuple" in one) return one.tuple.map(native);
  return "set" in one ? new Set(one.set.map(native)) : BigInt(one.int);
}

// A value as JSON spells it, arrays and Sets marked; see native.
function spelled(value) {
  if (typeof value === "bigint") return { int: String(value) };
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return { tuple: value.map(spelled) };
  const parts = [...value].map((part) => [JSON.stringify(spelled(part)), spelled(part)]);
  return { set: parts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part) };
}

// Whether fixed bits lead to the outputs that were written down with them.
export function selfTest() {
  for (const [value, bits, expected, identifier] of CASES) {
    let place = 0;
    const take = (count) => {
      const start = place % bits.length; // read again from its start when it ends
      place = start + count / 4;
      return BigInt(`0x${bits.slice(start, place)}`);
    };
    if (!same(native(expected), drawn(native(value), take, WIDTH, identifier))) {
      throw new Error("this client does not draw as it was written to");
    }
  }
  return CASES.length;
}
