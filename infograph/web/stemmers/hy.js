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

class ArmenianStemmer extends Machine {
  g_v = new Set("աեէըիուօ");
  I_p2 = 0;
  I_pV = 0;

  r_mark_regions() {
    let $v_1;
    this.I_pV = this.limit;
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

  r_adjective() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_0) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_verb() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_1) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_noun() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_2) === 0) {
      return false;
    }
    this.bra = this.cursor;
    this.slice_del();
    return true;
  }

  r_ending() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_3) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (this.I_p2 > this.cursor) {
      return false;
    }
    this.slice_del();
    return true;
  }

  _stem() {
    let $v_2, $v_3, $v_4, $v_5, $v_6;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    if (this.cursor < this.I_pV) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_pV;
    $v_3 = this.limit - this.cursor;
    this.r_ending();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    this.r_verb();
    this.cursor = this.limit - $v_4;
    $v_5 = this.limit - this.cursor;
    this.r_adjective();
    this.cursor = this.limit - $v_5;
    $v_6 = this.limit - this.cursor;
    this.r_noun();
    this.cursor = this.limit - $v_6;
    this.limit_backward = $v_2;
    this.cursor = this.limit_backward;
    return true;
  }
  a_0 = table(
    ["րորդ", -1, 1],
    ["երորդ", 0, 1],
    ["ալի", -1, 1],
    ["ակի", -1, 1],
    ["որակ", -1, 1],
    ["եղ", -1, 1],
    ["ական", -1, 1],
    ["արան", -1, 1],
    ["են", -1, 1],
    ["եկեն", 8, 1],
    ["երեն", 8, 1],
    ["որէն", -1, 1],
    ["ին", -1, 1],
    ["գին", 12, 1],
    ["ովին", 12, 1],
    ["լայն", -1, 1],
    ["վուն", -1, 1],
    ["պես", -1, 1],
    ["իվ", -1, 1],
    ["ատ", -1, 1],
    ["ավետ", -1, 1],
    ["կոտ", -1, 1],
    ["բար", -1, 1],
  );
  a_1 = table(
    ["ա", -1, 1],
    ["ացա", 0, 1],
    ["եցա", 0, 1],
    ["վե", -1, 1],
    ["ացրի", -1, 1],
    ["ացի", -1, 1],
    ["եցի", -1, 1],
    ["վեցի", 6, 1],
    ["ալ", -1, 1],
    ["ըալ", 8, 1],
    ["անալ", 8, 1],
    ["ենալ", 8, 1],
    ["ացնալ", 8, 1],
    ["ել", -1, 1],
    ["ըել", 13, 1],
    ["նել", 13, 1],
    ["ցնել", 15, 1],
    ["եցնել", 16, 1],
    ["չել", 13, 1],
    ["վել", 13, 1],
    ["ացվել", 19, 1],
    ["եցվել", 19, 1],
    ["տել", 13, 1],
    ["ատել", 22, 1],
    ["ոտել", 22, 1],
    ["կոտել", 24, 1],
    ["ված", -1, 1],
    ["ում", -1, 1],
    ["վում", 27, 1],
    ["ան", -1, 1],
    ["ցան", 29, 1],
    ["ացան", 30, 1],
    ["ացրին", -1, 1],
    ["ացին", -1, 1],
    ["եցին", -1, 1],
    ["վեցին", 34, 1],
    ["ալիս", -1, 1],
    ["ելիս", -1, 1],
    ["ավ", -1, 1],
    ["ացավ", 38, 1],
    ["եցավ", 38, 1],
    ["ալով", -1, 1],
    ["ելով", -1, 1],
    ["ար", -1, 1],
    ["ացար", 43, 1],
    ["եցար", 43, 1],
    ["ացրիր", -1, 1],
    ["ացիր", -1, 1],
    ["եցիր", -1, 1],
    ["վեցիր", 48, 1],
    ["աց", -1, 1],
    ["եց", -1, 1],
    ["ացրեց", 51, 1],
    ["ալուց", -1, 1],
    ["ելուց", -1, 1],
    ["ալու", -1, 1],
    ["ելու", -1, 1],
    ["աք", -1, 1],
    ["ցաք", 57, 1],
    ["ացաք", 58, 1],
    ["ացրիք", -1, 1],
    ["ացիք", -1, 1],
    ["եցիք", -1, 1],
    ["վեցիք", 62, 1],
    ["անք", -1, 1],
    ["ցանք", 64, 1],
    ["ացանք", 65, 1],
    ["ացրինք", -1, 1],
    ["ացինք", -1, 1],
    ["եցինք", -1, 1],
    ["վեցինք", 69, 1],
  );
  a_2 = table(
    ["որդ", -1, 1],
    ["ույթ", -1, 1],
    ["ուհի", -1, 1],
    ["ցի", -1, 1],
    ["իլ", -1, 1],
    ["ակ", -1, 1],
    ["յակ", 5, 1],
    ["անակ", 5, 1],
    ["իկ", -1, 1],
    ["ուկ", -1, 1],
    ["ան", -1, 1],
    ["պան", 10, 1],
    ["ստան", 10, 1],
    ["արան", 10, 1],
    ["եղէն", -1, 1],
    ["յուն", -1, 1],
    ["ություն", 15, 1],
    ["ածո", -1, 1],
    ["իչ", -1, 1],
    ["ուս", -1, 1],
    ["ուստ", -1, 1],
    ["գար", -1, 1],
    ["վոր", -1, 1],
    ["ավոր", 22, 1],
    ["ոց", -1, 1],
    ["անօց", -1, 1],
    ["ու", -1, 1],
    ["ք", -1, 1],
    ["չեք", 27, 1],
    ["իք", 27, 1],
    ["ալիք", 29, 1],
    ["անիք", 29, 1],
    ["վածք", 27, 1],
    ["ույք", 27, 1],
    ["ենք", 27, 1],
    ["ոնք", 27, 1],
    ["ունք", 27, 1],
    ["մունք", 36, 1],
    ["իչք", 27, 1],
    ["արք", 27, 1],
  );
  a_3 = table(
    ["սա", -1, 1],
    ["վա", -1, 1],
    ["ամբ", -1, 1],
    ["դ", -1, 1],
    ["անդ", 3, 1],
    ["ությանդ", 4, 1],
    ["վանդ", 4, 1],
    ["ոջդ", 3, 1],
    ["երդ", 3, 1],
    ["ներդ", 8, 1],
    ["ուդ", 3, 1],
    ["ը", -1, 1],
    ["անը", 11, 1],
    ["ությանը", 12, 1],
    ["վանը", 12, 1],
    ["ոջը", 11, 1],
    ["երը", 11, 1],
    ["ները", 16, 1],
    ["ի", -1, 1],
    ["վի", 18, 1],
    ["երի", 18, 1],
    ["ների", 20, 1],
    ["անում", -1, 1],
    ["երում", -1, 1],
    ["ներում", 23, 1],
    ["ն", -1, 1],
    ["ան", 25, 1],
    ["ության", 26, 1],
    ["վան", 26, 1],
    ["ին", 25, 1],
    ["երին", 29, 1],
    ["ներին", 30, 1],
    ["ությանն", 25, 1],
    ["երն", 25, 1],
    ["ներն", 33, 1],
    ["ուն", 25, 1],
    ["ոջ", -1, 1],
    ["ությանս", -1, 1],
    ["վանս", -1, 1],
    ["ոջս", -1, 1],
    ["ով", -1, 1],
    ["անով", 40, 1],
    ["վով", 40, 1],
    ["երով", 40, 1],
    ["ներով", 43, 1],
    ["եր", -1, 1],
    ["ներ", 45, 1],
    ["ց", -1, 1],
    ["ից", 47, 1],
    ["վանից", 48, 1],
    ["ոջից", 48, 1],
    ["վից", 48, 1],
    ["երից", 48, 1],
    ["ներից", 52, 1],
    ["ցից", 48, 1],
    ["ոց", 47, 1],
    ["ուց", 47, 1],
  );
}

const program = new ArmenianStemmer();

/** ISO 639-1 code. */
export const language = "hy";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
