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

// take and width are for tests: where bits come from (a BigInt of so many bits), how many at once.
export function randomize(value, take = secureBits, width = WIDTH) {
  const draw = (where) => drawFrom(where, take, width);
  return KINDS[LAW.kind](LAW, value, draw);
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

const KINDS = {
  // One row of weights for each input.
  rows(law, value, draw) {
    const row = law.rows[law.row_of[indexOf(law.inputs, value)]];
    const runs = row.map(([count, weight]) => [BigInt(count), BigInt(weight)]);
    return member(law.outputs, draw(inRuns(runs)));
  },

  // One weight for the value itself, another for every other value.
  diagonal(law, value, draw) {
    const index = indexOf(law.inputs, value);
    const size = sizeOf(law.inputs);
    const [keep, other] = [BigInt(law.keep), BigInt(law.other)];
    const runs = [[index, other], [1, keep], [size - index - 1, other]];
    return member(law.inputs, draw(inRuns(runs.map(([count, w]) => [BigInt(count), w]))));
  },

  // Select-a-size: keep some items of the transaction, insert others.
  sizes(law, value, draw) {
    const items = transaction(law, value);
    const chosen = law.sizes[String(items.length)];
    if (chosen === undefined) throw new OutsideDomain("no transaction of this size is randomized");
    const kept = draw(inRuns(chosen.keep.map((weight) => [1n, BigInt(weight)])));
    const present = new Set(items);
    shuffleFirst(items, kept, draw);
    const [inserted, total] = chosen.insert.map(BigInt);
    const coin = below(total, (t) => t < inserted);
    const found = items.slice(0, kept);
    for (let item = 0; item < law.items; item += 1) {
      if (!present.has(item) && draw(coin)) found.push(item);
    }
    return found.sort((a, b) => a - b);
  },

  // Each item stays, or a new one takes its place.
  replacement(law, value, draw) {
    const items = transaction(law, value);
    if (items.length !== law.size) {
      throw new OutsideDomain("no transaction of this size is randomized");
    }
    const [stay, total] = law.keep.map(BigInt);
    const coin = below(total, (t) => t < stay);
    const kept = items.filter(() => draw(coin));
    const present = new Set(items);
    const others = [];
    for (let item = 0; item < law.items; item += 1) if (!present.has(item)) others.push(item);
    const replaced = items.length - kept.length;
    shuffleFirst(others, replaced, draw);
    return kept.concat(others.slice(0, replaced)).sort((a, b) => a - b);
  },
};

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

// Whether fixed bits lead to the outputs that were written down with them.
export function selfTest() {
  for (const [value, bits, expected] of CASES) {
    let place = 0;
    const take = (count) => {
      const start = place % bits.length; // read again from its start when it ends
      place = start + count / 4;
      return BigInt(`0x${bits.slice(start, place)}`);
    };
    if (!same(native(expected), randomize(native(value), take))) {
      throw new Error("this client does not draw as it was written to");
    }
  }
  return CASES.length;
}
