/*!
The stemmers that infograph publishes for infograph.js are translations of those in the package snowballstemmer, which
Snowball (https://snowballstem.org/) generated; infograph/stemming/translation.py makes them. Snowball's licence:

Copyright (c) 2001, Dr Martin Porter
Copyright (c) 2004,2005, Richard Boulton
Copyright (c) 2013, Yoshiki Shibukawa
Copyright (c) 2006-2025, Olly Betts
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions
are met:

  1. Redistributions of source code must retain the above copyright notice,
     this list of conditions and the following disclaimer.
  2. Redistributions in binary form must reproduce the above copyright notice,
     this list of conditions and the following disclaimer in the documentation
     and/or other materials provided with the distribution.
  3. Neither the name of the Snowball project nor the names of its contributors
     may be used to endorse or promote products derived from this software
     without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND
ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR
ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
(INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES;
LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON
ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT
(INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/

/** The word that a Snowball program works on, in characters, and the commands of such a program. */
class Machine {
  stem(word) {
    this.current = [...word];
    this.cursor = this.limit_backward = this.bra = 0;
    this.limit = this.ket = this.current.length;
    this._stem();
    return this.current.join("");
  }

  in_grouping(group) {
    return this.step(this.cursor < this.limit && group.has(this.current[this.cursor]), 1);
  }

  out_grouping(group) {
    return this.step(this.cursor < this.limit && !group.has(this.current[this.cursor]), 1);
  }

  in_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && group.has(this.current[this.cursor - 1]), -1);
  }

  out_grouping_b(group) {
    return this.step(this.cursor > this.limit_backward && !group.has(this.current[this.cursor - 1]), -1);
  }

  step(taken, by) {
    if (taken) this.cursor += by;
    return taken;
  }

  go_in_grouping(group) {
    while (this.in_grouping(group));
    return this.cursor < this.limit;
  }

  go_out_grouping(group) {
    while (this.out_grouping(group));
    return this.cursor < this.limit;
  }

  go_in_grouping_b(group) {
    while (this.in_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  go_out_grouping_b(group) {
    while (this.out_grouping_b(group));
    return this.cursor > this.limit_backward;
  }

  eq_s(text) {
    const end = this.cursor + [...text].length;
    if (end > this.limit || this.between(this.cursor, end) !== text) return false;
    this.cursor = end;
    return true;
  }

  eq_s_b(text) {
    const start = this.cursor - [...text].length;
    if (start < this.limit_backward || this.between(start, this.cursor) !== text) return false;
    this.cursor = start;
    return true;
  }

  find_among({ sizes, places, rows }) {
    const start = this.cursor;
    for (const size of sizes) {
      const place = start + size <= this.limit ? places.get(this.between(start, start + size)) : undefined;
      if (place !== undefined) return this.among(rows, place, start, 1);
    }
    return 0;
  }

  find_among_b({ sizes, places, rows }) {
    const end = this.cursor;
    for (const size of sizes) {
      const place = end - size >= this.limit_backward ? places.get(this.between(end - size, end)) : undefined;
      if (place !== undefined) return this.among(rows, place, end, -1);
    }
    return 0;
  }

  /** The result of the first row, from a place on, whose condition holds; each says which one is next. */
  among(rows, place, from, direction) {
    while (place >= 0) {
      const [text, next, result, condition] = rows[place];
      const to = from + direction * [...text].length;
      this.cursor = to;
      if (!condition || this[condition]()) {
        this.cursor = to;
        return result;
      }
      place = next;
    }
    return 0;
  }

  between(start, end) {
    return this.current.slice(start, end).join("");
  }

  slice_to() {
    return this.between(this.bra, this.ket);
  }

  slice_from(text) {
    this.replace(this.bra, this.ket, text);
    this.ket = this.bra + [...text].length;
  }

  slice_del() {
    this.slice_from("");
  }

  insert(start, end, text) {
    const longer = this.replace(start, end, text);
    if (start <= this.bra) this.bra += longer;
    if (start <= this.ket) this.ket += longer;
  }

  replace(start, end, text) {
    const letters = [...text];
    const longer = letters.length - (end - start);
    this.current.splice(start, end - start, ...letters);
    this.limit += longer;
    if (this.cursor >= end) this.cursor += longer;
    else if (this.cursor > start) this.cursor = start;
    return longer;
  }
}

/** The rows of a Snowball `among`: text, place of the longest other row that it begins (or ends) with, result, condition. */
function table(...rows) {
  const sizes = [...new Set(rows.map(([text]) => [...text].length))].sort((a, b) => b - a);
  return { rows, sizes, places: new Map(rows.map(([text], place) => [text, place])) };
}

class IrishStemmer extends Machine {
  g_v = new Set("aeiouáéíóú");
  I_p2 = 0;
  I_p1 = 0;
  I_pV = 0;

  r_mark_regions() {
    let $v_1;
    this.I_pV = this.limit;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_pV = this.cursor;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p1 = this.cursor;
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
      this.I_p2 = this.cursor;
    }
    this.cursor = $v_1;
    return true;
  }

  r_initial_morph() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_0);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    this.slice_from(this.as_0[$among_var - 1]);
    return true;
  }

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_R2() {
    return this.I_p2 <= this.cursor;
  }

  r_noun_sfx() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_1);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
    } else {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_deriv() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_2);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (!this.r_R2()) {
        return false;
      }
      this.slice_del();
    } else if ($among_var === 2) {
      this.slice_from("arc");
    } else if ($among_var === 3) {
      this.slice_from("gin");
    } else if ($among_var === 4) {
      this.slice_from("graf");
    } else if ($among_var === 5) {
      this.slice_from("paite");
    } else {
      this.slice_from("óid");
    }
    return true;
  }

  r_verb_sfx() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      if (this.I_pV > this.cursor) {
        return false;
      }
      this.slice_del();
    } else {
      if (!this.r_R1()) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4;
    $v_1 = this.cursor;
    this.r_initial_morph();
    this.cursor = $v_1;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_2 = this.limit - this.cursor;
    this.r_noun_sfx();
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    this.r_deriv();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    this.r_verb_sfx();
    this.cursor = this.limit - $v_4;
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["b'", -1, 1],
    ["bh", -1, 4],
    ["bhf", 1, 2],
    ["bp", -1, 8],
    ["ch", -1, 5],
    ["d'", -1, 1],
    ["d'fh", 5, 2],
    ["dh", -1, 6],
    ["dt", -1, 9],
    ["fh", -1, 2],
    ["gc", -1, 5],
    ["gh", -1, 7],
    ["h-", -1, 1],
    ["m'", -1, 1],
    ["mb", -1, 4],
    ["mh", -1, 10],
    ["n-", -1, 1],
    ["nd", -1, 6],
    ["ng", -1, 7],
    ["ph", -1, 8],
    ["sh", -1, 3],
    ["t-", -1, 1],
    ["th", -1, 9],
    ["ts", -1, 3],
  );
  as_0 = ["", "f", "s", "b", "c", "d", "g", "p", "t", "m"];
  a_1 = table(
    ["íochta", -1, 1],
    ["aíochta", 0, 1],
    ["ire", -1, 2],
    ["aire", 2, 2],
    ["abh", -1, 1],
    ["eabh", 4, 1],
    ["ibh", -1, 1],
    ["aibh", 6, 1],
    ["amh", -1, 1],
    ["eamh", 8, 1],
    ["imh", -1, 1],
    ["aimh", 10, 1],
    ["íocht", -1, 1],
    ["aíocht", 12, 1],
    ["irí", -1, 2],
    ["airí", 14, 2],
  );
  a_2 = table(
    ["óideacha", -1, 6],
    ["patacha", -1, 5],
    ["achta", -1, 1],
    ["arcachta", 2, 2],
    ["eachta", 2, 1],
    ["grafaíochta", -1, 4],
    ["paite", -1, 5],
    ["ach", -1, 1],
    ["each", 7, 1],
    ["óideach", 8, 6],
    ["gineach", 8, 3],
    ["patach", 7, 5],
    ["grafaíoch", -1, 4],
    ["pataigh", -1, 5],
    ["óidigh", -1, 6],
    ["achtúil", -1, 1],
    ["eachtúil", 15, 1],
    ["gineas", -1, 3],
    ["ginis", -1, 3],
    ["acht", -1, 1],
    ["arcacht", 19, 2],
    ["eacht", 19, 1],
    ["grafaíocht", -1, 4],
    ["arcachtaí", -1, 2],
    ["grafaíochtaí", -1, 4],
  );
  a_3 = table(
    ["imid", -1, 1],
    ["aimid", 0, 1],
    ["ímid", -1, 1],
    ["aímid", 2, 1],
    ["adh", -1, 2],
    ["eadh", 4, 2],
    ["faidh", -1, 1],
    ["fidh", -1, 1],
    ["áil", -1, 2],
    ["ain", -1, 2],
    ["tear", -1, 2],
    ["tar", -1, 2],
  );
}

const program = new IrishStemmer();

/** ISO 639-1 code. */
export const language = "ga";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
