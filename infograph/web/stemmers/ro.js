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

class RomanianStemmer extends Machine {
  g_v = new Set("aeiouâîă");
  B_standard_suffix_removed = false;
  I_p2 = 0;
  I_p1 = 0;
  I_pV = 0;

  r_norm() {
    let $among_var, $v_1, $v_2, $v_3;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              this.bra = this.cursor;
              $among_var = this.find_among(this.a_0);
              if ($among_var === 0) {
                break lab2;
              }
              this.ket = this.cursor;
              this.slice_from(this.as_0[$among_var - 1]);
              this.cursor = $v_3;
              break;
            }
            this.cursor = $v_3;
            if (this.cursor >= this.limit) {
              break lab1;
            }
            this.cursor += 1;
          }
          continue;
        }
        this.cursor = $v_2;
        break;
      }
    }
    this.cursor = $v_1;
    return true;
  }

  r_prelude() {
    let $v_1, $v_2, $v_3;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        while (true) {
          $v_2 = this.cursor;
          lab1: {
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            this.bra = this.cursor;
            while (true) {
              $v_3 = this.cursor;
              lab2: {
                if (this.cursor === this.limit || this.current[this.cursor] !== "u") {
                  break lab2;
                }
                this.cursor += 1;
                this.ket = this.cursor;
                if (!this.in_grouping(this.g_v)) {
                  break lab2;
                }
                this.slice_from("U");
                break;
              }
              this.cursor = $v_3;
              if (this.cursor === this.limit || this.current[this.cursor] !== "i") {
                break lab1;
              }
              this.cursor += 1;
              this.ket = this.cursor;
              if (!this.in_grouping(this.g_v)) {
                break lab1;
              }
              this.slice_from("I");
              break;
            }
            this.cursor = $v_2;
            break;
          }
          this.cursor = $v_2;
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_mark_regions() {
    let $v_1, $v_2, $v_3, $v_4, $v_5;
    this.I_pV = this.limit;
    this.I_p1 = this.limit;
    this.I_p2 = this.limit;
    $v_1 = this.cursor;
    lab0: {
      while (true) {
        $v_2 = this.cursor;
        lab1: {
          if (!this.in_grouping(this.g_v)) {
            break lab1;
          }
          while (true) {
            $v_3 = this.cursor;
            lab2: {
              if (!this.out_grouping(this.g_v)) {
                break lab2;
              }
              if (!this.go_out_grouping(this.g_v)) {
                break lab2;
              }
              this.cursor += 1;
              break;
            }
            this.cursor = $v_3;
            if (!this.in_grouping(this.g_v)) {
              break lab1;
            }
            if (!this.go_in_grouping(this.g_v)) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          break;
        }
        this.cursor = $v_2;
        if (!this.out_grouping(this.g_v)) {
          break lab0;
        }
        while (true) {
          $v_4 = this.cursor;
          lab1: {
            if (!this.out_grouping(this.g_v)) {
              break lab1;
            }
            if (!this.go_out_grouping(this.g_v)) {
              break lab1;
            }
            this.cursor += 1;
            break;
          }
          this.cursor = $v_4;
          if (!this.in_grouping(this.g_v)) {
            break lab0;
          }
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
          break;
        }
        break;
      }
      this.I_pV = this.cursor;
    }
    this.cursor = $v_1;
    $v_5 = this.cursor;
    lab0: {
      if (!this.go_out_grouping(this.g_v)) {
        break lab0;
      }
      this.cursor += 1;
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
    this.cursor = $v_5;
    return true;
  }

  r_postlude() {
    let $among_var, $v_1;
    while (true) {
      $v_1 = this.cursor;
      lab0: {
        this.bra = this.cursor;
        $among_var = this.find_among(this.a_1);
        this.ket = this.cursor;
        if ($among_var === 1) {
          this.slice_from("i");
        } else if ($among_var === 2) {
          this.slice_from("u");
        } else {
          if (this.cursor >= this.limit) {
            break lab0;
          }
          this.cursor += 1;
        }
        continue;
      }
      this.cursor = $v_1;
      break;
    }
    return true;
  }

  r_R1() {
    return this.I_p1 <= this.cursor;
  }

  r_step_0() {
    let $among_var;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_2);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    if ($among_var === 1) {
      this.slice_del();
    } else if ($among_var === 2) {
      this.slice_from("a");
    } else if ($among_var === 3) {
      this.slice_from("e");
    } else if ($among_var === 4) {
      this.slice_from("i");
    } else if ($among_var === 5) {
      lab0: {
        if (!this.eq_s_b("ab")) {
          break lab0;
        }
        return false;
      }
      this.slice_from("i");
    } else if ($among_var === 6) {
      this.slice_from("at");
    } else {
      this.slice_from("ați");
    }
    return true;
  }

  r_combo_suffix() {
    let $among_var, $v_1;
    $v_1 = this.limit - this.cursor;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_3);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (!this.r_R1()) {
      return false;
    }
    this.slice_from(this.as_3[$among_var - 1]);
    this.B_standard_suffix_removed = true;
    this.cursor = this.limit - $v_1;
    return true;
  }

  r_standard_suffix() {
    let $among_var, $v_1;
    this.B_standard_suffix_removed = false;
    while (true) {
      $v_1 = this.limit - this.cursor;
      lab0: {
        if (!this.r_combo_suffix()) {
          break lab0;
        }
        continue;
      }
      this.cursor = this.limit - $v_1;
      break;
    }
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_4);
    if ($among_var === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (this.I_p2 > this.cursor) {
      return false;
    }
    if ($among_var === 1) {
      this.slice_del();
    } else if ($among_var === 2) {
      if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "ț") {
        return false;
      }
      this.cursor -= 1;
      this.bra = this.cursor;
      this.slice_from("t");
    } else {
      this.slice_from("ist");
    }
    this.B_standard_suffix_removed = true;
    return true;
  }

  r_verb_suffix() {
    let $among_var, $v_2;
    if (this.cursor < this.I_pV) {
      return false;
    }
    $v_2 = this.limit_backward;
    this.limit_backward = this.I_pV;
    this.ket = this.cursor;
    $among_var = this.find_among_b(this.a_5);
    if ($among_var === 0) {
      this.limit_backward = $v_2;
      return false;
    }
    this.bra = this.cursor;
    if ($among_var === 1) {
      while (true) {
        lab0: {
          if (!this.out_grouping_b(this.g_v)) {
            break lab0;
          }
          break;
        }
        if (this.cursor <= this.limit_backward || this.current[this.cursor - 1] !== "u") {
          this.limit_backward = $v_2;
          return false;
        }
        this.cursor -= 1;
        break;
      }
      this.slice_del();
    } else {
      this.slice_del();
    }
    this.limit_backward = $v_2;
    return true;
  }

  r_vowel_suffix() {
    this.ket = this.cursor;
    if (this.find_among_b(this.a_6) === 0) {
      return false;
    }
    this.bra = this.cursor;
    if (this.I_pV > this.cursor) {
      return false;
    }
    this.slice_del();
    return true;
  }

  _stem() {
    let $v_1, $v_2, $v_3, $v_4, $v_5, $v_6;
    this.r_norm();
    $v_1 = this.cursor;
    this.r_prelude();
    this.cursor = $v_1;
    this.r_mark_regions();
    this.limit_backward = this.cursor;
    this.cursor = this.limit;
    $v_2 = this.limit - this.cursor;
    this.r_step_0();
    this.cursor = this.limit - $v_2;
    $v_3 = this.limit - this.cursor;
    this.r_standard_suffix();
    this.cursor = this.limit - $v_3;
    $v_4 = this.limit - this.cursor;
    lab0: {
      while (true) {
        lab1: {
          if (!this.B_standard_suffix_removed) {
            break lab1;
          }
          break;
        }
        if (!this.r_verb_suffix()) {
          break lab0;
        }
        break;
      }
    }
    this.cursor = this.limit - $v_4;
    $v_5 = this.limit - this.cursor;
    this.r_vowel_suffix();
    this.cursor = this.limit - $v_5;
    this.cursor = this.limit_backward;
    $v_6 = this.cursor;
    this.r_postlude();
    this.cursor = $v_6;
    return true;
  }
  a_0 = table(
    ["ş", -1, 1],
    ["ţ", -1, 2],
  );
  as_0 = ["ș", "ț"];
  a_1 = table(
    ["", -1, 3],
    ["I", 0, 1],
    ["U", 0, 2],
  );
  a_2 = table(
    ["ea", -1, 3],
    ["ația", -1, 7],
    ["aua", -1, 2],
    ["iua", -1, 4],
    ["ație", -1, 7],
    ["ele", -1, 3],
    ["ile", -1, 5],
    ["iile", 6, 4],
    ["iei", -1, 4],
    ["atei", -1, 6],
    ["ii", -1, 4],
    ["ului", -1, 1],
    ["ul", -1, 1],
    ["elor", -1, 3],
    ["ilor", -1, 4],
    ["iilor", 14, 4],
  );
  a_3 = table(
    ["icala", -1, 4],
    ["iciva", -1, 4],
    ["ativa", -1, 5],
    ["itiva", -1, 6],
    ["icale", -1, 4],
    ["ațiune", -1, 5],
    ["ițiune", -1, 6],
    ["atoare", -1, 5],
    ["itoare", -1, 6],
    ["ătoare", -1, 5],
    ["icitate", -1, 4],
    ["abilitate", -1, 1],
    ["ibilitate", -1, 2],
    ["ivitate", -1, 3],
    ["icive", -1, 4],
    ["ative", -1, 5],
    ["itive", -1, 6],
    ["icali", -1, 4],
    ["atori", -1, 5],
    ["icatori", 18, 4],
    ["itori", -1, 6],
    ["ători", -1, 5],
    ["icitati", -1, 4],
    ["abilitati", -1, 1],
    ["ivitati", -1, 3],
    ["icivi", -1, 4],
    ["ativi", -1, 5],
    ["itivi", -1, 6],
    ["icităi", -1, 4],
    ["abilităi", -1, 1],
    ["ivităi", -1, 3],
    ["icități", -1, 4],
    ["abilități", -1, 1],
    ["ivități", -1, 3],
    ["ical", -1, 4],
    ["ator", -1, 5],
    ["icator", 35, 4],
    ["itor", -1, 6],
    ["ător", -1, 5],
    ["iciv", -1, 4],
    ["ativ", -1, 5],
    ["itiv", -1, 6],
    ["icală", -1, 4],
    ["icivă", -1, 4],
    ["ativă", -1, 5],
    ["itivă", -1, 6],
  );
  as_3 = ["abil", "ibil", "iv", "ic", "at", "it"];
  a_4 = table(
    ["ica", -1, 1],
    ["abila", -1, 1],
    ["ibila", -1, 1],
    ["oasa", -1, 1],
    ["ata", -1, 1],
    ["ita", -1, 1],
    ["anta", -1, 1],
    ["ista", -1, 3],
    ["uta", -1, 1],
    ["iva", -1, 1],
    ["ic", -1, 1],
    ["ice", -1, 1],
    ["abile", -1, 1],
    ["ibile", -1, 1],
    ["isme", -1, 3],
    ["iune", -1, 2],
    ["oase", -1, 1],
    ["ate", -1, 1],
    ["itate", 17, 1],
    ["ite", -1, 1],
    ["ante", -1, 1],
    ["iste", -1, 3],
    ["ute", -1, 1],
    ["ive", -1, 1],
    ["ici", -1, 1],
    ["abili", -1, 1],
    ["ibili", -1, 1],
    ["iuni", -1, 2],
    ["atori", -1, 1],
    ["osi", -1, 1],
    ["ati", -1, 1],
    ["itati", 30, 1],
    ["iti", -1, 1],
    ["anti", -1, 1],
    ["isti", -1, 3],
    ["uti", -1, 1],
    ["iști", -1, 3],
    ["ivi", -1, 1],
    ["ităi", -1, 1],
    ["oși", -1, 1],
    ["ități", -1, 1],
    ["abil", -1, 1],
    ["ibil", -1, 1],
    ["ism", -1, 3],
    ["ator", -1, 1],
    ["os", -1, 1],
    ["at", -1, 1],
    ["it", -1, 1],
    ["ant", -1, 1],
    ["ist", -1, 3],
    ["ut", -1, 1],
    ["iv", -1, 1],
    ["ică", -1, 1],
    ["abilă", -1, 1],
    ["ibilă", -1, 1],
    ["oasă", -1, 1],
    ["ată", -1, 1],
    ["ită", -1, 1],
    ["antă", -1, 1],
    ["istă", -1, 3],
    ["ută", -1, 1],
    ["ivă", -1, 1],
  );
  a_5 = table(
    ["ea", -1, 1],
    ["ia", -1, 1],
    ["esc", -1, 1],
    ["ăsc", -1, 1],
    ["ind", -1, 1],
    ["ând", -1, 1],
    ["are", -1, 1],
    ["ere", -1, 1],
    ["ire", -1, 1],
    ["âre", -1, 1],
    ["se", -1, 2],
    ["ase", 10, 1],
    ["sese", 10, 2],
    ["ise", 10, 1],
    ["use", 10, 1],
    ["âse", 10, 1],
    ["ește", -1, 1],
    ["ăște", -1, 1],
    ["eze", -1, 1],
    ["ai", -1, 1],
    ["eai", 19, 1],
    ["iai", 19, 1],
    ["sei", -1, 2],
    ["ești", -1, 1],
    ["ăști", -1, 1],
    ["ui", -1, 1],
    ["ezi", -1, 1],
    ["âi", -1, 1],
    ["ași", -1, 1],
    ["seși", -1, 2],
    ["aseși", 29, 1],
    ["seseși", 29, 2],
    ["iseși", 29, 1],
    ["useși", 29, 1],
    ["âseși", 29, 1],
    ["iși", -1, 1],
    ["uși", -1, 1],
    ["âși", -1, 1],
    ["ați", -1, 2],
    ["eați", 38, 1],
    ["iați", 38, 1],
    ["eți", -1, 2],
    ["iți", -1, 2],
    ["âți", -1, 2],
    ["arăți", -1, 1],
    ["serăți", -1, 2],
    ["aserăți", 45, 1],
    ["seserăți", 45, 2],
    ["iserăți", 45, 1],
    ["userăți", 45, 1],
    ["âserăți", 45, 1],
    ["irăți", -1, 1],
    ["urăți", -1, 1],
    ["ârăți", -1, 1],
    ["am", -1, 1],
    ["eam", 54, 1],
    ["iam", 54, 1],
    ["em", -1, 2],
    ["asem", 57, 1],
    ["sesem", 57, 2],
    ["isem", 57, 1],
    ["usem", 57, 1],
    ["âsem", 57, 1],
    ["im", -1, 2],
    ["âm", -1, 2],
    ["ăm", -1, 2],
    ["arăm", 65, 1],
    ["serăm", 65, 2],
    ["aserăm", 67, 1],
    ["seserăm", 67, 2],
    ["iserăm", 67, 1],
    ["userăm", 67, 1],
    ["âserăm", 67, 1],
    ["irăm", 65, 1],
    ["urăm", 65, 1],
    ["ârăm", 65, 1],
    ["au", -1, 1],
    ["eau", 76, 1],
    ["iau", 76, 1],
    ["indu", -1, 1],
    ["ându", -1, 1],
    ["ez", -1, 1],
    ["ească", -1, 1],
    ["ară", -1, 1],
    ["seră", -1, 2],
    ["aseră", 84, 1],
    ["seseră", 84, 2],
    ["iseră", 84, 1],
    ["useră", 84, 1],
    ["âseră", 84, 1],
    ["iră", -1, 1],
    ["ură", -1, 1],
    ["âră", -1, 1],
    ["ează", -1, 1],
  );
  a_6 = table(
    ["a", -1, 1],
    ["e", -1, 1],
    ["ie", 1, 1],
    ["i", -1, 1],
    ["ă", -1, 1],
  );
}

const program = new RomanianStemmer();

/** ISO 639-1 code. */
export const language = "ro";
/** Of Snowball. */
export const release = "3.1.1";
/** The stem of a word in lower case. */
export const stem = (word) => program.stem(word);
