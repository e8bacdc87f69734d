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

class EstonianStemmer extends Machine {
  g_V1 = new Set("aeiouäõöü");
  g_RV = new Set("'aeiou");
  g_KI = new Set("bdfghkpstzšž");
  g_GI = new Set("aceijlmnoqruvwxäõöü");
  I_p1 = 0;

  r_mark_regions() {
    let $v_1;
    this.I_p1 = this.limit;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        if (this.cursor + 2 > this.limit) {
          break lab0;
        }
        this.cursor += 2;
        while (true) {
          lab1: {
            if (this.cursor === this.limit || this.current[this.cursor] !== "'") {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        break;
      }
      this.cursor = $v_1;
      if (!this.go_out_grouping(this.g_V1)) {
        return false;
      }
      this.cursor += 1;
      if (!this.go_in_grouping(this.g_V1)) {
        return false;
      }
      this.cursor += 1;
      break;
    }
    this.I_p1 = this.cursor;
    return true;
  }

  r_emphasis() {
    let $among_var, $v_2, $v_3, $v_4, $v_5;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_0);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    $v_3 = this.limit - this.cursor;
    if (this.cursor - 4 < this.limit_backward) {
      return false;
    }
    this.cursor -= 4;
    this.cursor = this.limit - $v_3;
    if ($among_var === 1) {
      $v_4 = this.limit - this.cursor;
      if (!this.in_grouping_b(this.g_GI)) {
        return false;
      }
      this.cursor = this.limit - $v_4;
      $v_5 = this.limit - this.cursor;
      lab0: {
        if (!this.r_LONGV()) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_5;
      this.slice_del();
    } else {
      if (!this.in_grouping_b(this.g_KI)) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_verb() {
    let $among_var, $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_1);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      this.slice_del();
    } else if ($among_var === 2) {
      this.slice_from("a");
    } else {
      if (!this.in_grouping_b(this.g_V1)) {
        return false;
      }
      this.slice_del();
    }
    return true;
  }

  r_LONGV() {
    return this.find_among_b(this.a_2) !== 0;
  }

  r_i_plural() {
    let $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "i") {
      this.limit_backward = $v_2;
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if (!this.in_grouping_b(this.g_RV)) {
      return false;
    }
    this.slice_del();
    return true;
  }

  r_special_noun_endings() {
    let $among_var, $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_3);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    this.slice_from(this.as_3[$among_var - 1]);
    return true;
  }

  r_case_ending() {
    let $among_var, $v_2, $v_3;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_4);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      while (true) {
        lab0: {
          if (!this.in_grouping_b(this.g_RV)) {
            break lab0;
          }
          break;
        }
        if (!this.r_LONGV()) {
          return false;
        }
        break;
      }
    } else {
      $v_3 = this.limit - this.cursor;
      if (this.cursor - 4 < this.limit_backward) {
        return false;
      }
      this.cursor -= 4;
      this.cursor = this.limit - $v_3;
    }
    this.slice_del();
    return true;
  }

  r_plural_three_first_cases() {
    let $among_var, $v_2, $v_3, $v_4, $v_5;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_6);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      this.slice_from("iku");
    } else if ($among_var === 2) {
      $v_3 = this.limit - this.cursor;
      lab0: {
        if (!this.r_LONGV()) {
          break lab0;
        }
        return false;
      }
      this.cursor = this.limit - $v_3;
      this.slice_del();
    } else if ($among_var === 3) {
      while (true) {
        $v_4 = this.limit - this.cursor;
        lab0: {
          $v_5 = this.limit - this.cursor;
          if (this.cursor - 4 < this.limit_backward) {
            break lab0;
          }
          this.cursor -= 4;
          this.cursor = this.limit - $v_5;
          $among_var = this.find_among_b(this.a_5);
          if ($among_var > 0) {
            this.slice_from(this.as_5[$among_var - 1]);
          }
          break;
        }
        this.cursor = this.limit - $v_4;
        this.slice_from("t");
        break;
      }
    } else {
      while (true) {
        lab0: {
          if (!this.in_grouping_b(this.g_RV)) {
            break lab0;
          }
          break;
        }
        if (!this.r_LONGV()) {
          return false;
        }
        break;
      }
      this.slice_del();
    }
    return true;
  }

  r_nu() {
    let $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    if (this.find_among_b(this.a_7) === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    this.slice_del();
    return true;
  }

  r_undouble_kpt() {
    let $among_var;
    if (!this.in_grouping_b(this.g_V1)) {
      return false;
    }
    if (this.I_p1 > this.cursor) {
      return false;
    }
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_8);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_from(this.as_8[$among_var - 1]);
    return true;
  }

  r_degrees() {
    let $among_var, $v_2;
    if (this.cursor < this.I_p1) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_p1;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_9);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    this.limit_backward = $v_2;
    if ($among_var === 1) {
      if (!this.in_grouping_b(this.g_RV)) {
        return false;
      }
      this.slice_del();
    } else {
      this.slice_del();
    }
    return true;
  }

  r_substantive() {
    let $v_1, $v_2, $v_3, $v_4, $v_5, $v_6;
    $v_1 = this.limit - this.cursor;
    this.r_special_noun_endings();
    this.cursor = this.limit - $v_1;
    $v_2 = this.limit - this.cursor;
    this.r_case_ending();
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    this.r_plural_three_first_cases();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    this.r_degrees();
    this.cursor = this.limit - $v_4;
    $v_5 = this.limit - this.cursor;
    this.r_i_plural();
    this.cursor = this.limit - $v_5;
    $v_6 = this.limit - this.cursor;
    this.r_nu();
    this.cursor = this.limit - $v_6;
    return true;
  }

  r_verb_exceptions() {
    let $among_var;
    this.bra = this.cursor;
    $among_var = this.find_among(this.a_10);
    if ($among_var === 0) {
      return false;
    }
    this.ket = this.cursor;
    if (this.cursor < this.limit) {
      return false;
    }
    this.slice_from(this.as_10[$among_var - 1]);
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5, $v_6;
    $v_1 = this.cursor;
    lab0: {
      if (!this.r_verb_exceptions()) {
        break lab0;
      }
      return false;
    }
    this.cursor = $v_1;
    $v_2 = this.cursor;
    this.r_mark_regions();
    this.cursor = $v_2;
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_3 = this.limit - this.cursor;
    this.r_emphasis();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    lab0: {
      while (true) {
        $v_5 = this.limit - this.cursor;
        lab1: {
          if (!this.r_verb()) {
            break lab1;
          }
          break;
        }
        this.cursor = this.limit - $v_5;
        this.r_substantive();
        break;
      }
    }
    this.cursor = this.limit - $v_4;
    $v_6 = this.limit - this.cursor;
    this.r_undouble_kpt();
    this.cursor = this.limit - $v_6;
    this.ket = this.cursor;
    if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "'") {
      return false;
    }
    this.cursor -= 1;
    this.bra = this.cursor;
    this.slice_del();
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["gi", -1, 1],
    ["ki", -1, 2],
  );
  a_1 = table(
    ["da", -1, 3],
    ["mata", -1, 1],
    ["b", -1, 3],
    ["ksid", -1, 1],
    ["nuksid", 3, 1],
    ["me", -1, 3],
    ["sime", 5, 1],
    ["ksime", 6, 1],
    ["nuksime", 7, 1],
    ["akse", -1, 2],
    ["dakse", 9, 1],
    ["takse", 9, 1],
    ["site", -1, 1],
    ["ksite", 12, 1],
    ["nuksite", 13, 1],
    ["n", -1, 3],
    ["sin", 15, 1],
    ["ksin", 16, 1],
    ["nuksin", 17, 1],
    ["daks", -1, 1],
    ["taks", -1, 1],
  );
  a_2 = table(
    ["aa", -1, -1],
    ["ee", -1, -1],
    ["ii", -1, -1],
    ["oo", -1, -1],
    ["uu", -1, -1],
    ["ää", -1, -1],
    ["õõ", -1, -1],
    ["öö", -1, -1],
    ["üü", -1, -1],
  );
  a_3 = table(
    ["lane", -1, 1],
    ["line", -1, 3],
    ["mine", -1, 2],
    ["lasse", -1, 1],
    ["lisse", -1, 3],
    ["misse", -1, 2],
    ["lasi", -1, 1],
    ["lisi", -1, 3],
    ["misi", -1, 2],
    ["last", -1, 1],
    ["list", -1, 3],
    ["mist", -1, 2],
  );
  as_3 = ["lase", "mise", "lise"];
  a_4 = table(
    ["ga", -1, 1],
    ["ta", -1, 1],
    ["le", -1, 1],
    ["sse", -1, 1],
    ["l", -1, 1],
    ["s", -1, 1],
    ["ks", 5, 1],
    ["t", -1, 2],
    ["lt", 7, 1],
    ["st", 7, 1],
  );
  a_5 = table(
    ["", -1, 2],
    ["las", 0, 1],
    ["lis", 0, 1],
    ["mis", 0, 1],
    ["t", 0, -1],
  );
  as_5 = ["e", ""];
  a_6 = table(
    ["d", -1, 4],
    ["sid", 0, 2],
    ["de", -1, 4],
    ["ikkude", 2, 1],
    ["ike", -1, 1],
    ["ikke", -1, 1],
    ["te", -1, 3],
  );
  a_7 = table(
    ["va", -1, -1],
    ["du", -1, -1],
    ["nu", -1, -1],
    ["tu", -1, -1],
  );
  a_8 = table(
    ["kk", -1, 1],
    ["pp", -1, 2],
    ["tt", -1, 3],
  );
  as_8 = ["k", "p", "t"];
  a_9 = table(
    ["ma", -1, 2],
    ["mai", -1, 1],
    ["m", -1, 1],
  );
  a_10 = table(
    ["joob", -1, 1],
    ["jood", -1, 1],
    ["joodakse", 1, 1],
    ["jooma", -1, 1],
    ["joomata", 3, 1],
    ["joome", -1, 1],
    ["joon", -1, 1],
    ["joote", -1, 1],
    ["joovad", -1, 1],
    ["juua", -1, 1],
    ["juuakse", 9, 1],
    ["jäi", -1, 12],
    ["jäid", 11, 12],
    ["jäime", 11, 12],
    ["jäin", 11, 12],
    ["jäite", 11, 12],
    ["jääb", -1, 12],
    ["jääd", -1, 12],
    ["jääda", 17, 12],
    ["jäädakse", 18, 12],
    ["jäädi", 17, 12],
    ["jääks", -1, 12],
    ["jääksid", 21, 12],
    ["jääksime", 21, 12],
    ["jääksin", 21, 12],
    ["jääksite", 21, 12],
    ["jääma", -1, 12],
    ["jäämata", 26, 12],
    ["jääme", -1, 12],
    ["jään", -1, 12],
    ["jääte", -1, 12],
    ["jäävad", -1, 12],
    ["jõi", -1, 1],
    ["jõid", 32, 1],
    ["jõime", 32, 1],
    ["jõin", 32, 1],
    ["jõite", 32, 1],
    ["keeb", -1, 4],
    ["keed", -1, 4],
    ["keedakse", 38, 4],
    ["keeks", -1, 4],
    ["keeksid", 40, 4],
    ["keeksime", 40, 4],
    ["keeksin", 40, 4],
    ["keeksite", 40, 4],
    ["keema", -1, 4],
    ["keemata", 45, 4],
    ["keeme", -1, 4],
    ["keen", -1, 4],
    ["kees", -1, 4],
    ["keeta", -1, 4],
    ["keete", -1, 4],
    ["keevad", -1, 4],
    ["käia", -1, 8],
    ["käiakse", 53, 8],
    ["käib", -1, 8],
    ["käid", -1, 8],
    ["käidi", 56, 8],
    ["käiks", -1, 8],
    ["käiksid", 58, 8],
    ["käiksime", 58, 8],
    ["käiksin", 58, 8],
    ["käiksite", 58, 8],
    ["käima", -1, 8],
    ["käimata", 63, 8],
    ["käime", -1, 8],
    ["käin", -1, 8],
    ["käis", -1, 8],
    ["käite", -1, 8],
    ["käivad", -1, 8],
    ["laob", -1, 16],
    ["laod", -1, 16],
    ["laoks", -1, 16],
    ["laoksid", 72, 16],
    ["laoksime", 72, 16],
    ["laoksin", 72, 16],
    ["laoksite", 72, 16],
    ["laome", -1, 16],
    ["laon", -1, 16],
    ["laote", -1, 16],
    ["laovad", -1, 16],
    ["loeb", -1, 14],
    ["loed", -1, 14],
    ["loeks", -1, 14],
    ["loeksid", 83, 14],
    ["loeksime", 83, 14],
    ["loeksin", 83, 14],
    ["loeksite", 83, 14],
    ["loeme", -1, 14],
    ["loen", -1, 14],
    ["loete", -1, 14],
    ["loevad", -1, 14],
    ["loob", -1, 7],
    ["lood", -1, 7],
    ["loodi", 93, 7],
    ["looks", -1, 7],
    ["looksid", 95, 7],
    ["looksime", 95, 7],
    ["looksin", 95, 7],
    ["looksite", 95, 7],
    ["looma", -1, 7],
    ["loomata", 100, 7],
    ["loome", -1, 7],
    ["loon", -1, 7],
    ["loote", -1, 7],
    ["loovad", -1, 7],
    ["luua", -1, 7],
    ["luuakse", 106, 7],
    ["lõi", -1, 6],
    ["lõid", 108, 6],
    ["lõime", 108, 6],
    ["lõin", 108, 6],
    ["lõite", 108, 6],
    ["lööb", -1, 5],
    ["lööd", -1, 5],
    ["löödakse", 114, 5],
    ["löödi", 114, 5],
    ["lööks", -1, 5],
    ["lööksid", 117, 5],
    ["lööksime", 117, 5],
    ["lööksin", 117, 5],
    ["lööksite", 117, 5],
    ["lööma", -1, 5],
    ["löömata", 122, 5],
    ["lööme", -1, 5],
    ["löön", -1, 5],
    ["lööte", -1, 5],
    ["löövad", -1, 5],
    ["lüüa", -1, 5],
    ["lüüakse", 128, 5],
    ["müüa", -1, 13],
    ["müüakse", 130, 13],
    ["müüb", -1, 13],
    ["müüd", -1, 13],
    ["müüdi", 133, 13],
    ["müüks", -1, 13],
    ["müüksid", 135, 13],
    ["müüksime", 135, 13],
    ["müüksin", 135, 13],
    ["müüksite", 135, 13],
    ["müüma", -1, 13],
    ["müümata", 140, 13],
    ["müüme", -1, 13],
    ["müün", -1, 13],
    ["müüs", -1, 13],
    ["müüte", -1, 13],
    ["müüvad", -1, 13],
    ["näeb", -1, 18],
    ["näed", -1, 18],
    ["näeks", -1, 18],
    ["näeksid", 149, 18],
    ["näeksime", 149, 18],
    ["näeksin", 149, 18],
    ["näeksite", 149, 18],
    ["näeme", -1, 18],
    ["näen", -1, 18],
    ["näete", -1, 18],
    ["näevad", -1, 18],
    ["nägema", -1, 18],
    ["nägemata", 158, 18],
    ["näha", -1, 18],
    ["nähakse", 160, 18],
    ["nähti", -1, 18],
    ["põeb", -1, 15],
    ["põed", -1, 15],
    ["põeks", -1, 15],
    ["põeksid", 165, 15],
    ["põeksime", 165, 15],
    ["põeksin", 165, 15],
    ["põeksite", 165, 15],
    ["põeme", -1, 15],
    ["põen", -1, 15],
    ["põete", -1, 15],
    ["põevad", -1, 15],
    ["saab", -1, 2],
    ["saad", -1, 2],
    ["saada", 175, 2],
    ["saadakse", 176, 2],
    ["saadi", 175, 2],
    ["saaks", -1, 2],
    ["saaksid", 179, 2],
    ["saaksime", 179, 2],
    ["saaksin", 179, 2],
    ["saaksite", 179, 2],
    ["saama", -1, 2],
    ["saamata", 184, 2],
    ["saame", -1, 2],
    ["saan", -1, 2],
    ["saate", -1, 2],
    ["saavad", -1, 2],
    ["sai", -1, 2],
    ["said", 190, 2],
    ["saime", 190, 2],
    ["sain", 190, 2],
    ["saite", 190, 2],
    ["sõi", -1, 9],
    ["sõid", 195, 9],
    ["sõime", 195, 9],
    ["sõin", 195, 9],
    ["sõite", 195, 9],
    ["sööb", -1, 9],
    ["sööd", -1, 9],
    ["söödakse", 201, 9],
    ["söödi", 201, 9],
    ["sööks", -1, 9],
    ["sööksid", 204, 9],
    ["sööksime", 204, 9],
    ["sööksin", 204, 9],
    ["sööksite", 204, 9],
    ["sööma", -1, 9],
    ["söömata", 209, 9],
    ["sööme", -1, 9],
    ["söön", -1, 9],
    ["sööte", -1, 9],
    ["söövad", -1, 9],
    ["süüa", -1, 9],
    ["süüakse", 215, 9],
    ["teeb", -1, 17],
    ["teed", -1, 17],
    ["teeks", -1, 17],
    ["teeksid", 219, 17],
    ["teeksime", 219, 17],
    ["teeksin", 219, 17],
    ["teeksite", 219, 17],
    ["teeme", -1, 17],
    ["teen", -1, 17],
    ["teete", -1, 17],
    ["teevad", -1, 17],
    ["tegema", -1, 17],
    ["tegemata", 228, 17],
    ["teha", -1, 17],
    ["tehakse", 230, 17],
    ["tehti", -1, 17],
    ["toob", -1, 10],
    ["tood", -1, 10],
    ["toodi", 234, 10],
    ["tooks", -1, 10],
    ["tooksid", 236, 10],
    ["tooksime", 236, 10],
    ["tooksin", 236, 10],
    ["tooksite", 236, 10],
    ["tooma", -1, 10],
    ["toomata", 241, 10],
    ["toome", -1, 10],
    ["toon", -1, 10],
    ["toote", -1, 10],
    ["toovad", -1, 10],
    ["tuua", -1, 10],
    ["tuuakse", 247, 10],
    ["tõi", -1, 10],
    ["tõid", 249, 10],
    ["tõime", 249, 10],
    ["tõin", 249, 10],
    ["tõite", 249, 10],
    ["viia", -1, 3],
    ["viiakse", 254, 3],
    ["viib", -1, 3],
    ["viid", -1, 3],
    ["viidi", 257, 3],
    ["viiks", -1, 3],
    ["viiksid", 259, 3],
    ["viiksime", 259, 3],
    ["viiksin", 259, 3],
    ["viiksite", 259, 3],
    ["viima", -1, 3],
    ["viimata", 264, 3],
    ["viime", -1, 3],
    ["viin", -1, 3],
    ["viisime", -1, 3],
    ["viisin", -1, 3],
    ["viisite", -1, 3],
    ["viite", -1, 3],
    ["viivad", -1, 3],
    ["võib", -1, 11],
    ["võid", -1, 11],
    ["võida", 274, 11],
    ["võidakse", 275, 11],
    ["võidi", 274, 11],
    ["võiks", -1, 11],
    ["võiksid", 278, 11],
    ["võiksime", 278, 11],
    ["võiksin", 278, 11],
    ["võiksite", 278, 11],
    ["võima", -1, 11],
    ["võimata", 283, 11],
    ["võime", -1, 11],
    ["võin", -1, 11],
    ["võis", -1, 11],
    ["võite", -1, 11],
    ["võivad", -1, 11],
  );
  as_10 = ["joo", "saa", "viima", "keesi", "löö", "lõi", "loo", "käisi", "söö", "too", "võisi", "jääma", "müüsi", "luge", "põde", "ladu", "tegi", "nägi"];
}

const program = new EstonianStemmer();

/** ISO 639-1 code. */
export const language = "et";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
